// Checks the manifests against the schemas that their readers publish: node scripts/validate-manifests.mjs [FOLDER]
// Fetches each schema from its address, or reads it from FOLDER, by the last words of its address joined by "-". Claude
// Code's and the Gemini CLI's own commands check theirs (`npm run e2e -- install`, `gemini extensions validate`).
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { AjvJsonSchemaValidator } from "@modelcontextprotocol/client/validators/ajv";

const CURSOR = "https://raw.githubusercontent.com/cursor/plugins/main/schemas";
/** By manifest; those without an address name it themselves. */
const SCHEMAS = {
  "plugin.json": undefined,
  "mcp.json": undefined,
  "server.json": undefined,
  "plugin/.cursor-plugin/plugin.json": `${CURSOR}/plugin.schema.json`,
  ".cursor-plugin/marketplace.json": `${CURSOR}/marketplace.schema.json`,
};

const [folder] = process.argv.slice(2);
async function read(address) {
  if (folder !== undefined)
    return JSON.parse(readFileSync(join(folder, address.split("/").slice(-3).join("-")), "utf8"));
  const response = await fetch(address, { signal: AbortSignal.timeout(30_000) });
  if (!response.ok) throw new Error(`${address} answers ${response.status}`);
  return response.json();
}

const validator = new AjvJsonSchemaValidator();
for (const [file, address] of Object.entries(SCHEMAS)) {
  const manifest = JSON.parse(readFileSync(file, "utf8"));
  const schema = address ?? manifest.$schema;
  try {
    const { valid, errorMessage } = validator.getValidator(await read(schema))(manifest);
    if (!valid) throw new Error(errorMessage);
    console.log(`ok   ${file}`);
  } catch (error) {
    console.error(`FAIL ${file}: ${error.message} (${schema})`);
    process.exitCode = 1;
  }
}
