// JSON for people.

/** Write JSON with blanks and line ends, token by token: parsing it would round integers over 2^53. */
export function pretty(text: string): string {
  let depth = 0;
  const line = () => `\n${"  ".repeat(depth)}`;
  const tokens = text.match(/"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s"{}[\],:]+|"/g) ?? [];
  return tokens
    .map((token, at) => {
      if (token === "{" || token === "[") {
        if (/^[}\]]$/.test(tokens[at + 1] ?? "")) return token;
        depth += 1;
        return token + line();
      }
      if (token === "}" || token === "]") {
        if (/^[{[]$/.test(tokens[at - 1] ?? "")) return token;
        depth = Math.max(0, depth - 1);
        return line() + token;
      }
      if (token === ",") return token + line();
      return token === ":" ? ": " : token;
    })
    .join("");
}
