/** The packages under test, as they stand in the folder beside this file. */

export * as sdk from "ai";
export { z } from "zod";
