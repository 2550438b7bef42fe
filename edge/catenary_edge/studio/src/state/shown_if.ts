// Whether a form shows a parameter: its condition `show_if` (see the guide's page about models), over the present values.
// The page has no table of units. A condition that needs one, or anything else that is not known here, shows its parameter.
import type { Json, Parameter } from "../api/types.ts";
import type { Values } from "./values.ts";

interface Quantity {
  value: number;
  /** Symbol of the unit; null for a plain number. */
  unit: string | null;
}
/** A value of a condition; undefined where it can't be told. */
type Known = Quantity | string | boolean | undefined;

const TOKEN = /\s*(?:(?<number>(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?)(?:\s*(?!(?:and|or|not)\b)(?<unit>[A-Za-zµ°%][\wµ°%/]*))?|(?<text>"[^"]*"|'[^']*')|(?<name>[A-Za-z_]\w*)|(?<mark><=|>=|==|!=|[-+*/()<>,]))/iy;
const COMPARISONS = ["<", "<=", ">", ">=", "==", "!="];
/** The part of their size by which equal numbers may differ. */
const SAME = 1e-12;

/** Tell whether a form shows a parameter. */
export function isShown(parameter: Parameter, parameters: readonly Parameter[], values: Values): boolean {
  if (!parameter.show_if) return true;
  try {
    return new Reader(parameter.show_if, (name) => valueOf(parameters.find((one) => one.name === name), values[name] ?? null)).read() !== false;
  } catch {
    return true;
  }
}

function valueOf(parameter: Parameter | undefined, value: Json): Known {
  if (typeof value === "boolean" || typeof value === "string") return value;
  if (typeof value === "number") return { value, unit: parameter?.unit ?? null };
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  const { value: number, unit } = value;
  return typeof number === "number" && typeof unit === "string" ? { value: number, unit } : undefined;
}

interface Token {
  kind: "number" | "text" | "name" | "mark";
  text: string;
  unit: string | null;
}

function tokensOf(text: string): Token[] {
  const found: Token[] = [];
  for (let at = 0; at < text.trimEnd().length; at = TOKEN.lastIndex) {
    TOKEN.lastIndex = at;
    const groups = TOKEN.exec(text)?.groups;
    if (!groups) throw new Error("unreadable");
    const kind = (["number", "text", "name", "mark"] as const).find((one) => groups[one] !== undefined)!;
    found.push({ kind, text: groups[kind]!, unit: groups["unit"] ?? null });
  }
  return found;
}

/** Reads and computes a condition at once; an Error means that it can't be read. */
class Reader {
  private readonly tokens: Token[];
  private at = 0;

  constructor(text: string, private readonly lookUp: (name: string) => Known) {
    this.tokens = tokensOf(text);
  }

  read(): Known {
    const found = this.either();
    if (this.at < this.tokens.length) throw new Error("more than a condition");
    return found;
  }

  private take(...texts: string[]): string | undefined {
    const token = this.tokens[this.at];
    if (token === undefined || (token.kind !== "mark" && token.kind !== "name") || !texts.includes(token.text)) return undefined;
    this.at += 1;
    return token.text;
  }

  private either(): Known {
    let found = this.both();
    while (this.take("or")) found = joined(found, this.both(), true);
    return found;
  }

  private both(): Known {
    let found = this.negation();
    while (this.take("and")) found = joined(found, this.negation(), false);
    return found;
  }

  private negation(): Known {
    if (!this.take("not")) return this.comparison();
    const found = this.negation();
    return typeof found === "boolean" ? !found : undefined;
  }

  private comparison(): Known {
    const left = this.sum();
    const operator = this.take(...COMPARISONS);
    return operator === undefined ? left : compared(operator, left, this.sum());
  }

  private sum(): Known {
    let found = this.product();
    for (let operator = this.take("+", "-"); operator; operator = this.take("+", "-")) {
      const sign = operator === "-" ? -1 : 1;
      found = computed(found, this.product(), (one, other) => (one.unit === other.unit ? { value: one.value + sign * other.value, unit: one.unit } : undefined));
    }
    return found;
  }

  private product(): Known {
    let found = this.signed();
    for (let operator = this.take("*", "/"); operator; operator = this.take("*", "/")) {
      found = computed(found, this.signed(), operator === "*" ? multiplied : divided);
    }
    return found;
  }

  private signed(): Known {
    if (this.take("+")) return this.signed();
    if (!this.take("-")) return this.operand();
    const found = this.signed();
    return typeof found === "object" ? { ...found, value: -found.value } : undefined;
  }

  private operand(): Known {
    if (this.take("(")) {
      const found = this.either();
      if (!this.take(")")) throw new Error("a bracket is open");
      return found;
    }
    const token = this.tokens[this.at];
    this.at += 1;
    if (token?.kind === "number") return { value: Number(token.text), unit: token.unit };
    if (token?.kind === "text") return token.text.slice(1, -1);
    if (token?.kind === "name") return this.lookUp(token.text);
    throw new Error("a value is missing");
  }
}

/** Join truths by `or` (`decides` true) or `and` (false): one part that decides is enough. */
function joined(left: Known, right: Known, decides: boolean): Known {
  if (left === decides || right === decides) return decides;
  return left === !decides && right === !decides ? !decides : undefined;
}

function computed(left: Known, right: Known, compute: (one: Quantity, other: Quantity) => Quantity | undefined): Known {
  return typeof left === "object" && typeof right === "object" ? compute(left, right) : undefined;
}

function multiplied(one: Quantity, other: Quantity): Quantity | undefined {
  return one.unit !== null && other.unit !== null ? undefined : { value: one.value * other.value, unit: one.unit ?? other.unit };
}

function divided(one: Quantity, other: Quantity): Quantity | undefined {
  if (other.value === 0 || (other.unit !== null && other.unit !== one.unit)) return undefined;
  return { value: one.value / other.value, unit: other.unit === null ? one.unit : null };
}

function compared(operator: string, left: Known, right: Known): boolean | undefined {
  if (typeof left === "object" && typeof right === "object") {
    const isZero = (one: Quantity) => one.value === 0 && one.unit === null;
    if (left.unit !== right.unit && !isZero(left) && !isZero(right)) return undefined;
    const isEqual = Math.abs(left.value - right.value) <= SAME * Math.max(Math.abs(left.value), Math.abs(right.value));
    if (operator === "==" || operator === "!=") return isEqual === (operator === "==");
    if (isEqual) return operator.endsWith("=");
    return operator.startsWith("<") ? left.value < right.value : left.value > right.value;
  }
  if (left === undefined || typeof left !== typeof right || (operator !== "==" && operator !== "!=")) return undefined;
  return (left === right) === (operator === "==");
}
