//! What the tests, the fuzz targets and the mutation testing of genui-conform share: [`oracle`] has independent readings of
//! the rules, [`properties`] the body of every property. Neither is part of the program.

pub mod oracle;
pub mod properties;
