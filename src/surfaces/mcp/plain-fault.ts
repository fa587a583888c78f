import { TYPE_WORDS } from "../../here/schema.ts";

/** What the SDK says of a message that fits no schema: mostly a method, and the issues as the schema library writes them. */
const RAW_FAULT = /^(?:Invalid (\S+) request: )?(\[.*\])$/s;
const MAX_ISSUES = 5;

interface RawIssue {
  path?: unknown;
  expected?: unknown;
  message?: unknown;
}

/** Issues of a message that the SDK refused, in the words of heed's errors; other text as it is. */
export function plainFault(message: string): string {
  const [, method = "the request", json = ""] = RAW_FAULT.exec(message) ?? [];
  if (json === "") return message;
  const issues = issuesOf(json).slice(0, MAX_ISSUES).map(plainIssue);
  return `${method} cannot be read: ${issues.join("; ") || "its params are not of the form that the protocol gives them"}`;
}

function issuesOf(json: string): RawIssue[] {
  try {
    const issues: unknown = JSON.parse(json);
    return Array.isArray(issues) ? (issues as RawIssue[]) : [];
  } catch {
    return [];
  }
}

function plainIssue({ path, expected, message }: RawIssue): string {
  const place = Array.isArray(path) ? path.map(String).join(".") : "params";
  const received = /received (\w+)$/.exec(String(message))?.[1];
  const state = received === undefined || received === "undefined" ? "is missing" : `is of type ${received}`;
  const wanted =
    (TYPE_WORDS as Readonly<Record<string, string>>)[String(expected)] ?? `a ${String(expected)}`;
  const example =
    place === "params.arguments" ? ' with the fields that the tool names, {"handle": "NAME"}' : "";
  return `${place} ${state}: give ${wanted}${example}`;
}
