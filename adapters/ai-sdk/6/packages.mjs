/** The packages under test, as they are in the folder of this file. */

export * as sdk from "ai";
export { z } from "zod";
