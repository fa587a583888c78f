import { type Token, type Tokens, Lexer } from "marked";
import type { ComponentChildren, VNode } from "preact";

/** A table in a memory may be this deep; deeper text is shown as it is. */
const MAX_DEPTH = 12;

/**
 * Text that others wrote, as markdown: it becomes elements and never markup, so that nothing in it can be more than
 * text. HTML is shown as it is written, a link leads to http(s) alone and says where, an image is its description.
 */
export function Markdown({ text }: { text: string }): VNode {
  return <div class="prose">{shown(Lexer.lex(text, { breaks: true }), 0)}</div>;
}

function shown(tokens: readonly Token[], depth: number): ComponentChildren {
  if (depth > MAX_DEPTH) return tokens.map(({ raw }) => raw).join("");
  return tokens.map((token) => shownToken(token, depth));
}

function shownToken(token: Token, depth: number): ComponentChildren {
  const parts = "tokens" in token && token.tokens ? shown(token.tokens, depth + 1) : undefined;
  switch (token.type) {
    case "paragraph":
    case "blockquote":
    case "strong":
    case "em":
    case "del": {
      const Element = token.type === "paragraph" ? "p" : token.type;
      return <Element>{parts}</Element>;
    }
    case "heading": {
      // The page has its own first and second headings.
      const Heading = `h${Math.min(6, (token as Tokens.Heading).depth + 2)}` as "h3";
      return <Heading>{parts}</Heading>;
    }
    case "list": {
      const { ordered, start, items } = token as Tokens.List;
      const List = ordered ? "ol" : "ul";
      return (
        <List {...(ordered && typeof start === "number" && { start })}>
          {items.map((item) => (
            <li>
              {item.task ? (item.checked === true ? "☑ " : "☐ ") : ""}
              {shown(item.tokens, depth + 1)}
            </li>
          ))}
        </List>
      );
    }
    case "code":
      return (
        <pre tabIndex={0}>
          <code>{(token as Tokens.Code).text}</code>
        </pre>
      );
    case "table": {
      const { header, rows } = token as Tokens.Table;
      return (
        <table>
          <thead>
            <tr>
              {header.map(({ tokens }) => (
                <th scope="col">{shown(tokens, depth + 1)}</th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr>
                {row.map(({ tokens }) => (
                  <td>{shown(tokens, depth + 1)}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      );
    }
    case "link": {
      const safe = safeAddress((token as Tokens.Link).href);
      return safe === undefined ? (
        token.raw
      ) : (
        <a href={safe} title={safe} target="_blank" rel="noopener noreferrer nofollow">
          {parts}
        </a>
      );
    }
    case "codespan":
      return <code>{(token as Tokens.Codespan).text}</code>;
    case "image":
      return <span class="quiet">[image: {(token as Tokens.Image).text}]</span>;
    case "text":
    case "escape":
      return parts ?? (token as Tokens.Text).text;
    case "br":
      return <br />;
    case "hr":
      return <hr />;
    case "space":
      return null;
    default:
      return token.raw;
  }
}

/** An address that may be linked to: http and https, without a user's name in it. */
export function safeAddress(href: string): string | undefined {
  try {
    const { protocol, username, password, href: whole } = new URL(href);
    return /^https?:$/.test(protocol) && username === "" && password === "" ? whole : undefined;
  } catch {
    return undefined;
  }
}

const CLASSES: Readonly<Record<string, string>> = { "+": "added", "-": "taken", "@": "place" };

/** A unified diff, line by line: what is added and taken is told by its sign, and by colour besides. */
export function Diff({ text }: { text: string }): VNode {
  // `+++ a` may be a line that begins with `++`: what a text says is never left out.
  const lines = text.split("\n").filter((line) => !/^(?:diff |index |===)/.test(line));
  return (
    <pre class="diff" tabIndex={0} aria-label="difference">
      {lines.map((line) => (
        <span class={CLASSES[line.charAt(0)] ?? ""}>{`${line}\n`}</span>
      ))}
    </pre>
  );
}
