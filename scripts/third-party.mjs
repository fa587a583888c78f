// The notices of the packages whose code is in the bundles: most licences ask that they go along with every copy.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** One text of all notices, by package name. `inputs`: the paths of all bundled files. */
export function noticesOf(inputs) {
  const packages = new Set(
    inputs.flatMap((path) => path.match(/^(?:.*:)?(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//)?.[1] ?? []),
  );
  const notices = [...packages].filter((folder) => existsSync(join(folder, "package.json"))).map(noticeOf);
  return [
    "heed's bundles hold code of the following packages, each under its own licence.",
    ...notices.toSorted((a, b) => (a < b ? -1 : 1)),
  ].join(`\n\n${"-".repeat(80)}\n\n`);
}

function noticeOf(folder) {
  const { name, version, license, author } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const file = readdirSync(folder).find((entry) => /^(?:licen[cs]e|copying)\b/i.test(entry));
  const holder = typeof author === "string" ? author : (author?.name ?? "");
  const text =
    file === undefined ? `Licensed under ${license}. ${holder}` : readFileSync(join(folder, file), "utf8");
  return `${name} ${version} (${license})\n\n${text.trim()}`;
}
