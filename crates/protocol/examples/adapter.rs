//! Connects a reader to the suite: `genui-conform run -- target/debug/examples/adapter`.

use std::io;

use genui_json::Json;
use genui_protocol::{Adapter, Handshake, ImplementationInfo, InitializeParams, NoResult, VERSION, read_params, serve};

struct Reader(genui_openui::Options);

#[derive(serde::Deserialize)]
struct ParseParams {
    raw: String,
}

impl Adapter for Reader {
    fn initialize(&mut self, _requested: &InitializeParams) -> Handshake {
        Handshake {
            protocol: VERSION,
            implementation: ImplementationInfo {
                name: "my reader".to_owned(),
                version: None,
                language: Some("Rust".to_owned()),
            },
            methods: vec!["openui.parse".to_owned()],
            profiles: vec!["core".to_owned()],
            choices: [].into(),
            omits: ["streaming", "attributes", "end"].map(str::to_owned).to_vec(),
        }
    }

    fn answer(&mut self, method: &str, params: &str) -> Result<Json, NoResult> {
        if method != "openui.parse" {
            return Err(NoResult::NoSuchMethod);
        }
        let params: ParseParams = read_params(params)?;
        let message = genui_openui::parse(&params.raw, &self.0);
        let content = ("content", Json::from(&*message.content));
        Ok(match message.context {
            Some(_) => Json::object([content, ("context", message.context_json())]),
            None => Json::object([content]),
        })
    }
}

fn main() -> io::Result<()> {
    serve(&mut Reader(genui_openui::Options::default()), io::stdin().lock(), io::stdout().lock())
}
