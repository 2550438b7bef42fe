// The values of expressions with their dimensions, in base units: what the platform's check refuses is refused here too, and what
// has no finite value is undefined (see the guide's page about expressions).
import { UNITS } from "./units.ts";

type Dimension = ReadonlyMap<string, number>;

export interface Quantity {
  kind: "number";
  value: number | undefined;
  dimension: Dimension;
  /** Whether it is a point of a scale with a zero of its own, as a temperature in degC is. */
  isPoint: boolean;
  /** Whether it needs no name. */
  isConstant: boolean;
}
export interface Truth {
  kind: "truth";
  value: boolean | undefined;
}
export type Operand = Quantity | Truth | { kind: "text"; value: string | undefined };

/** An expression that the check of a model's version refuses. */
export class Refused extends Error {}

const GREATEST_EXPONENT = 64;
const FINEST_EXPONENT = 1000;
/** The part of their size by which equal numbers may differ. */
const SAME = 1e-12;
/** By how much equal exponents may differ. */
const NEAR = 1e-9;
const NONE: Dimension = new Map();

/** Return a number in a unit, null for none. A symbol that the table lacks is a dimension of its own. */
export function measured(value: number | undefined, unit: string | null, isConstant: boolean): Quantity {
  if (!unit) return made(value, NONE, isConstant);
  if (!Object.hasOwn(UNITS, unit)) return made(value, new Map([[`unit ${unit}`, 1]]), isConstant);
  const [factor, offset, dimension] = UNITS[unit]!;
  const exponents = dimension.split(" ").filter(Boolean).map((one): [string, number] => [one.split(":")[0]!, Number(one.split(":")[1])]);
  return made(value === undefined ? undefined : value * factor + offset, new Map(exponents), isConstant, offset !== 0);
}

/** Tell whether two quantities have one dimension. */
export function isAlike(one: Quantity, other: Quantity): boolean {
  return one.dimension.size === other.dimension.size && [...one.dimension].every(([name, exponent]) => Math.abs(exponent - (other.dimension.get(name) ?? 0)) < NEAR);
}

function made(value: number | undefined, dimension: Dimension, isConstant: boolean, isPoint = false): Quantity {
  const known = value !== undefined && Number.isFinite(value) ? value : undefined;
  if (isConstant && known === undefined) throw new Refused("a constant has no finite value");
  return { kind: "number", value: known, dimension, isPoint, isConstant };
}

/** Compute with the values of operands, where all of them have one. */
function folded(operands: readonly Quantity[], dimension: Dimension, compute: (...numbers: number[]) => number, isPoint = false): Quantity {
  const numbers = operands.flatMap(({ value }) => (value === undefined ? [] : [value]));
  const value = numbers.length < operands.length ? undefined : compute(...numbers);
  return made(value, dimension, operands.every((one) => one.isConstant), isPoint);
}

function numeric(operand: Operand): Quantity {
  if (operand.kind !== "number") throw new Refused("a number is needed");
  return operand;
}

function plain(operand: Operand): Quantity {
  const found = numeric(operand);
  if (found.isPoint) throw new Refused("a temperature of a scale can only be compared");
  return found;
}

/** Return the operand whose dimension all others have, a point before a plain one; a constant 0 has every dimension. */
function common(operands: readonly Quantity[]): Quantity {
  const some = operands.filter((one) => !(one.isConstant && one.value === 0 && one.dimension.size === 0));
  const all = some.length === 0 ? operands : some;
  const first = all.find((one) => one.isPoint) ?? all[0]!;
  if (first.isPoint && all.length < operands.length) throw new Refused("the zero of a scale is another one");
  if (!all.every((one) => isAlike(one, first))) throw new Refused("units of one kind are needed");
  return first;
}

function powered(dimension: Dimension, exponent: number): Dimension {
  return new Map([...dimension].map(([name, old]): [string, number] => [name, old * exponent]).filter(([, found]) => Math.abs(found) > NEAR));
}

function joined(one: Dimension, other: Dimension): Dimension {
  const found = new Map(one);
  for (const [name, exponent] of other) found.set(name, (found.get(name) ?? 0) + exponent);
  return powered(found, 1);
}

/** Return the nearest fraction whose denominator is small: a third stays one though it is written with digits. */
function limited(exponent: number): number {
  let nearest = Math.round(exponent);
  for (let below = 2; below <= FINEST_EXPONENT; below += 1) {
    const found = Math.round(exponent * below) / below;
    if (Math.abs(exponent - found) < Math.abs(exponent - nearest)) nearest = found;
  }
  return nearest;
}

/** Return the dimension of a power. */
function ofPower(base: Quantity, exponent: Quantity): Dimension {
  if (exponent.dimension.size > 0) throw new Refused("an exponent has a unit");
  const constant = exponent.isConstant ? exponent.value : undefined;
  if (constant !== undefined && Math.abs(constant) > GREATEST_EXPONENT) throw new Refused("an exponent is too large");
  if (base.dimension.size === 0) return NONE;
  if (constant === undefined) throw new Refused("an exponent of a quantity changes with a name");
  const found = powered(base.dimension, limited(constant));
  if ([...found.values()].some((one) => Math.abs(one) > GREATEST_EXPONENT)) throw new Refused("a dimension is too large");
  return found;
}

export function signed(sign: string, operand: Operand): Quantity {
  const one = plain(operand);
  return folded([one], one.dimension, (value) => (sign === "-" ? -value : value));
}

export function binary(operator: string, left: Operand, right: Operand): Quantity {
  const [one, other] = [numeric(left), numeric(right)];
  if (operator === "+" || operator === "-") {
    const kind = common([one, other]);
    const compute = (first: number, second: number) => (operator === "+" ? first + second : first - second);
    if (one.isPoint && other.isPoint && operator === "-") return folded([one, other], kind.dimension, compute);
    return folded([one, plain(other)], kind.dimension, compute, kind.isPoint);
  }
  plain(one);
  plain(other);
  if (operator === "**") return folded([one, other], ofPower(one, other), (base, exponent) => (Math.abs(exponent) <= GREATEST_EXPONENT ? base ** exponent : NaN));
  if (operator === "*") return folded([one, other], joined(one.dimension, other.dimension), (first, second) => first * second);
  return folded([one, other], joined(one.dimension, powered(other.dimension, -1)), (first, second) => first / second);
}

const OF_NUMBERS = { exp: Math.exp, log: Math.log, sin: Math.sin, cos: Math.cos, tan: Math.tan };

export function called(name: string, given: readonly Operand[]): Quantity {
  const operands = given.map(numeric);
  if (name === "min" || name === "max") {
    if (operands.length < 2) throw new Refused(`${name} takes two or more`);
    const { dimension, isPoint } = common(operands);
    return folded(operands, dimension, Math[name], isPoint);
  }
  if (operands.length !== 1) throw new Refused(`${name} takes one`);
  const one = plain(operands[0]!);
  if (name === "abs") return folded([one], one.dimension, Math.abs);
  if (name === "sqrt") return folded([one], powered(one.dimension, 0.5), Math.sqrt);
  if (!Object.hasOwn(OF_NUMBERS, name)) throw new Refused(`there is no function ${name}`);
  if (one.dimension.size > 0) throw new Refused(`${name} takes a number`);
  return folded([one], NONE, OF_NUMBERS[name as keyof typeof OF_NUMBERS]);
}

export function compared(operator: string, left: Operand, right: Operand): Truth {
  if (left.kind === "number" && right.kind === "number") common([left, right]);
  else if (left.kind !== right.kind || (operator !== "==" && operator !== "!=")) throw new Refused("these can't be compared");
  const [one, other] = [left.value, right.value];
  if (one === undefined || other === undefined) return { kind: "truth", value: undefined };
  const isEqual = typeof one === "number" && typeof other === "number" ? Math.abs(one - other) <= SAME * Math.max(Math.abs(one), Math.abs(other)) : one === other;
  if (operator === "==" || operator === "!=") return { kind: "truth", value: isEqual === (operator === "==") };
  return { kind: "truth", value: isEqual ? operator.endsWith("=") : operator.startsWith("<") === one < other };
}

/** Return an operand that is a truth. */
export function truth(operand: Operand): Truth {
  if (operand.kind !== "truth") throw new Refused("a truth is needed");
  return operand;
}

/** Join truths by `or` (`decides` true) or `and` (false): one part that decides is enough. */
export function decided(left: Operand, right: Operand, decides: boolean): Truth {
  const [one, other] = [truth(left).value, truth(right).value];
  if (one === decides || other === decides) return { kind: "truth", value: decides };
  return { kind: "truth", value: one === undefined || other === undefined ? undefined : !decides };
}
