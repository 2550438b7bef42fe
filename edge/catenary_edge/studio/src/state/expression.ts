// Reads and computes an expression at once, by the platform's grammar: from the weakest binding to the strongest.
import { binary, called, compared, decided, measured, Refused, signed, truth, type Operand } from "./quantity.ts";
import { UNITS } from "./units.ts";

const LONGEST = 500;
/** Most brackets, signs, `not`, powers and functions inside each other. */
const DEEPEST = 32;
const COMPARISONS = ["<=", ">=", "==", "!=", "<", ">"];
const WORDS = new Set(["and", "or", "not"]);
const SPACES = /[ \t\r\n]*/y;
const NUMBER = /(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?/y;
const NAME = /[A-Za-z_][A-Za-z0-9_]*/y;
const TEXT = /"[^"]*"|'[^']*'/y;
const OPERATOR = /\*\*|<=|>=|==|!=|[-+*/()<>,]/y;
/** The longest symbol that no further letter, digit or underscore continues. */
const UNIT = new RegExp(`(?:${Object.keys(UNITS).sort((one, other) => other.length - one.length).map(escaped).join("|")})(?![A-Za-z0-9_])`, "y");

function escaped(symbol: string): string {
  return symbol.replace(/[.*+?^${}()|[\]\\/-]/g, "\\$&");
}

type Token = { kind: "value"; operand: Operand } | { kind: "name" | "mark"; text: string };

/** Cuts a text into tokens. */
class Cutter {
  private at = 0;
  constructor(private readonly text: string) {}

  tokens(): Token[] {
    const found: Token[] = [];
    for (this.take(SPACES); this.at < this.text.length; this.take(SPACES)) found.push(this.token());
    return found;
  }

  private take(pattern: RegExp): string | null {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text)?.[0] ?? null;
    this.at += found?.length ?? 0;
    return found;
  }

  private token(): Token {
    const number = this.take(NUMBER);
    if (number !== null) return { kind: "value", operand: this.number(Number(number)) };
    const name = this.take(NAME);
    if (name !== null) return { kind: WORDS.has(name) ? "mark" : "name", text: name };
    const text = this.take(TEXT);
    if (text !== null) return { kind: "value", operand: { kind: "text", value: text.slice(1, -1) } };
    const mark = this.take(OPERATOR);
    if (mark === null) throw new Refused("a character has no meaning");
    return { kind: "mark", text: mark };
  }

  private number(value: number): Operand {
    const end = this.at;
    this.take(SPACES);
    const unit = this.take(UNIT);
    if (unit !== null) return measured(value, unit, true);
    const word = this.take(NAME);
    if (word !== null && !WORDS.has(word)) throw new Refused(`there is no unit ${word}`);
    this.at = end;
    return measured(value, null, true);
  }
}

/** Computes an expression over the values of names. What the platform's check refuses throws `Refused`. */
export function computed(text: string, lookUp: (name: string) => Operand): Operand {
  if (text.length > LONGEST) throw new Refused("too long");
  return new Reader(new Cutter(text).tokens(), lookUp).read();
}

class Reader {
  private at = 0;
  private depth = 0;

  constructor(
    private readonly tokens: readonly Token[],
    private readonly lookUp: (name: string) => Operand,
  ) {}

  read(): Operand {
    const found = this.disjunction();
    if (this.at < this.tokens.length) throw new Refused("more than an expression");
    return found;
  }

  private take(...texts: string[]): string | undefined {
    const token = this.tokens[this.at];
    if (token?.kind !== "mark" || !texts.includes(token.text)) return undefined;
    this.at += 1;
    return token.text;
  }

  private deeper(read: () => Operand): Operand {
    if (this.depth === DEEPEST) throw new Refused("too deep");
    this.depth += 1;
    const found = read();
    this.depth -= 1;
    return found;
  }

  private readonly disjunction = (): Operand => {
    let found = this.conjunction();
    while (this.take("or")) found = decided(found, this.conjunction(), true);
    return found;
  };

  private conjunction(): Operand {
    let found = this.negation();
    while (this.take("and")) found = decided(found, this.negation(), false);
    return found;
  }

  private readonly negation = (): Operand => {
    if (!this.take("not")) return this.comparison();
    const { value } = truth(this.deeper(this.negation));
    return { kind: "truth", value: value === undefined ? undefined : !value };
  };

  private comparison(): Operand {
    const left = this.sum();
    const operator = this.take(...COMPARISONS);
    return operator === undefined ? left : compared(operator, left, this.sum());
  }

  private sum(): Operand {
    let found = this.product();
    for (let operator = this.take("+", "-"); operator; operator = this.take("+", "-")) found = binary(operator, found, this.product());
    return found;
  }

  private product(): Operand {
    let found = this.sign();
    for (let operator = this.take("*", "/"); operator; operator = this.take("*", "/")) found = binary(operator, found, this.sign());
    return found;
  }

  private readonly sign = (): Operand => {
    const sign = this.take("+", "-");
    return sign === undefined ? this.power() : signed(sign, this.deeper(this.sign));
  };

  private power(): Operand {
    const base = this.operand();
    return this.take("**") ? binary("**", base, this.deeper(this.sign)) : base;
  }

  private operand(): Operand {
    if (this.take("(")) {
      const found = this.deeper(this.disjunction);
      this.close();
      return found;
    }
    const token = this.tokens[this.at];
    if (token === undefined || token.kind === "mark") throw new Refused("a value is missing");
    this.at += 1;
    if (token.kind === "value") return token.operand;
    return this.take("(") ? this.call(token.text) : this.lookUp(token.text);
  }

  private call(name: string): Operand {
    const given: Operand[] = [];
    do given.push(this.deeper(this.disjunction));
    while (this.take(","));
    this.close();
    return called(name, given);
  }

  private close(): void {
    if (!this.take(")")) throw new Refused("a bracket is open");
  }
}
