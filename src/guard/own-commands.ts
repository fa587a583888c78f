import { type GuardCall, shellTextOf } from "./guard-call.ts";
import { readShell } from "./shell/read-shell.ts";
import { isKnown } from "./shell/shell-command.ts";

const NAME = /heed/gi;

/** Heed's commands that a shell text runs itself, word for word; undefined where heed's name stands anywhere else in it. */
export function ownCommands(call: GuardCall): string[][] | undefined {
  const text = shellTextOf(call) ?? "";
  const { commands, cutShort } = readShell(text, call);
  const own = commands.flatMap(({ words, route }) => {
    const [program, ...rest] = words[0]?.text === "node" ? words.slice(1) : words;
    const isOwn = /^(?:.*\/)?heed(?:\.cjs)?$/.test(program?.text ?? "") && /^(?:npx)?$/.test(route.join());
    const isLiteral = rest.every((word) => isKnown(word) && word.isGlob !== true);
    return isOwn && isLiteral ? [rest.map((word) => word.text)] : [];
  });
  const named = own.length + (own.flat().join(" ").match(NAME) ?? []).length;
  return cutShort === undefined && text.match(NAME)?.length === named ? own : undefined;
}
