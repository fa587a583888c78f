import type { Token, Tokens } from "marked";
import { Lexer } from "marked";
import type { ComponentChildren, VNode } from "preact";

/** A table in a memory may be this deep; deeper text is shown as it is. */
const MAX_DEPTH = 12;

/**
 * Text that others wrote, as markdown: it becomes elements and never markup, so that nothing in it can be more than
 * text. HTML is shown as it is written, a link leads to http(s) alone and says where, an image is its description.
 */
export function Markdown({ text }: { text: string }): VNode {
  return <div class="prose">{blocks(Lexer.lex(text, { breaks: true }), 0)}</div>;
}

function blocks(tokens: readonly Token[], depth: number): ComponentChildren {
  if (depth > MAX_DEPTH) return tokens.map(({ raw }) => raw).join("");
  return tokens.map((token) => block(token, depth));
}

function block(token: Token, depth: number): ComponentChildren {
  switch (token.type) {
    case "heading": {
      // The page has its own first and second headings.
      const Heading = `h${Math.min(6, (token as Tokens.Heading).depth + 2)}` as "h3";
      return <Heading>{inline(token.tokens, depth)}</Heading>;
    }
    case "paragraph":
      return <p>{inline(token.tokens, depth)}</p>;
    case "list": {
      const { ordered, start, items } = token as Tokens.List;
      const List = ordered ? "ol" : "ul";
      return (
        <List {...(ordered && typeof start === "number" && { start })}>
          {items.map((item) => (
            <li>
              {item.task ? (item.checked === true ? "☑ " : "☐ ") : ""}
              {blocks(item.tokens, depth + 1)}
            </li>
          ))}
        </List>
      );
    }
    case "blockquote":
      return <blockquote>{blocks((token as Tokens.Blockquote).tokens, depth + 1)}</blockquote>;
    case "code":
      return (
        <pre tabIndex={0}>
          <code>{(token as Tokens.Code).text}</code>
        </pre>
      );
    case "table":
      return <Table table={token as Tokens.Table} depth={depth} />;
    case "hr":
      return <hr />;
    case "space":
      return null;
    case "text":
      return <span>{inline(token.tokens, depth, (token as Tokens.Text).text)}</span>;
    default:
      return <p class="raw">{token.raw}</p>;
  }
}

function Table({ table: { header, rows }, depth }: { table: Tokens.Table; depth: number }): VNode {
  return (
    <table>
      <thead>
        <tr>
          {header.map(({ tokens }) => (
            <th scope="col">{inline(tokens, depth)}</th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr>
            {row.map(({ tokens }) => (
              <td>{inline(tokens, depth)}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function inline(tokens: readonly Token[] | undefined, depth: number, otherwise = ""): ComponentChildren {
  if (!tokens) return otherwise;
  if (depth > MAX_DEPTH) return tokens.map(({ raw }) => raw).join("");
  return tokens.map((token): ComponentChildren => {
    const inner = "tokens" in token ? token.tokens : undefined;
    switch (token.type) {
      case "strong":
        return <strong>{inline(inner, depth + 1)}</strong>;
      case "em":
        return <em>{inline(inner, depth + 1)}</em>;
      case "del":
        return <del>{inline(inner, depth + 1)}</del>;
      case "codespan":
        return <code>{(token as Tokens.Codespan).text}</code>;
      case "br":
        return <br />;
      case "link": {
        const { href, raw } = token as Tokens.Link;
        const safe = safeAddress(href);
        return safe === undefined ? (
          raw
        ) : (
          <a href={safe} title={safe} target="_blank" rel="noopener noreferrer nofollow">
            {inline(inner, depth + 1)}
          </a>
        );
      }
      case "image":
        return <span class="quiet">[image: {(token as Tokens.Image).text}]</span>;
      case "text":
      case "escape":
        return inner ? inline(inner, depth + 1) : (token as Tokens.Text).text;
      default:
        return token.raw;
    }
  });
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
  const lines = text.split("\n").filter((line) => !/^(?:diff |index |\+\+\+ |--- |===)/.test(line));
  return (
    <pre class="diff" tabIndex={0} aria-label="difference">
      {lines.map((line) => (
        <span class={CLASSES[line.charAt(0)] ?? ""}>{`${line}\n`}</span>
      ))}
    </pre>
  );
}
