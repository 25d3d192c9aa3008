import {
  countsByDefault,
  parseDecimal,
  quantityDigits,
  shortestDecimal,
  totalsOf,
  type LineTotals,
  type OfferLine,
  type OfferTotals,
  type PricedOffer,
  type QuantityRange,
} from './money.ts'

/** The recipient's choices in a proposal. Lines are positions in `items`, from 0. */
export interface Choices {
  /** Optional lines to accept. By default, the preselected ones. */
  readonly lines?: readonly number[] | undefined
  /** Quantities of lines with a `quantityRange`. By default, those of the proposal. */
  readonly quantities?: Readonly<Record<number, string>> | undefined
}

/** A line that the recipient accepts. */
export interface ChosenLine {
  readonly line: number
  readonly quantity: string
}

/** A choice that the proposal does not offer. */
export class ChoiceError extends RangeError {
  /** Position of the line, if a single one is the reason. */
  readonly line: number | undefined

  constructor(message: string, line?: number) {
    super(message)
    this.name = 'ChoiceError'
    this.line = line
  }
}

/**
 * Returns the quantity of each line, or null for lines that do not count: the `quantities` of `totalsOf`. A line whose quantity is
 * changed to 0 does not count. A group may still have no chosen line.
 * @throws ChoiceError if the proposal has no such line, the line is not optional, a quantity is out of bounds, or two lines of a
 * group are chosen
 */
export function chosenQuantities(items: readonly OfferLine[], { lines, quantities = {} }: Choices): (string | null)[] {
  for (const line of [...(lines ?? []), ...Object.keys(quantities).map(Number)]) {
    if (items[line] === undefined) throw new ChoiceError(`The proposal has no line ${line}.`, line)
  }
  const chosen = new Set(lines ?? items.flatMap((item, line) => (item.optional && countsByDefault(item) ? [line] : [])))
  const groups = new Set<string>()
  for (const line of chosen) {
    const { optional = false, group = null } = items[line] ?? {}
    if (!optional) throw new ChoiceError(`Line ${line} is not optional.`, line)
    if (group !== null && groups.has(group)) throw new ChoiceError(`Only one line of the group "${group}" can be chosen.`, line)
    if (group !== null) groups.add(group)
  }
  return items.map((item, line) => {
    const quantity = item.optional && !chosen.has(line) ? null : quantityOf(item, line, quantities[line])
    return quantity === '0' && item.quantityRange !== null ? null : quantity
  })
}

/** The lines and totals of an offer as the recipient chose it. */
export type ChosenFigures<Line> = Omit<OfferTotals, 'items'> & { readonly items: readonly (Omit<Line, keyof LineTotals> & LineTotals)[] }

/**
 * Returns the lines and totals of an offer for chosen quantities: chosen options are preselected, and changed quantities are set.
 * @param quantities those of `chosenQuantities`
 * @throws TotalError if a total exceeds the maximum amount
 */
export function chosenFigures<Line extends OfferLine>(
  offer: Omit<PricedOffer, 'items'> & { readonly items: readonly Line[] },
  quantities: readonly (string | null)[],
): ChosenFigures<Line> {
  const items = offer.items.map((item, line) => {
    const quantity = quantities[line] ?? (item.optional ? item.quantity : '0')
    return { ...item, quantity, preselected: item.optional && (quantities[line] ?? null) !== null }
  })
  const { items: figures, ...totals } = totalsOf({ ...offer, items }, quantities)
  return { ...totals, items: figures.flatMap((figure, line) => (items[line] === undefined ? [] : [{ ...items[line], ...figure }])) }
}

/**
 * Returns all lines that the recipient accepts, fixed ones included, in their order: the canonical form of the choices. A proposal
 * without lines has none.
 * @throws ChoiceError if the choices are not offered, no line of a group is chosen, or no line is left
 */
export function acceptedLines(items: readonly OfferLine[], choices: Choices = {}): ChosenLine[] {
  const quantities = chosenQuantities(items, choices)
  for (const group of new Set(items.map((item) => item.group))) {
    if (group === null || items.some((item, line) => item.group === group && quantities[line] !== null)) continue
    throw new ChoiceError(`Choose one line of the group "${group}".`)
  }
  const accepted = quantities.flatMap((quantity, line) => (quantity === null ? [] : [{ line, quantity }]))
  if (items.length > 0 && accepted.length === 0) throw new ChoiceError('Choose at least one line.')
  return accepted
}

function quantityOf(item: OfferLine, line: number, chosen: string | undefined): string {
  if (chosen === undefined) return shortestDecimal(item.quantity)
  if (item.quantityRange === null) throw new ChoiceError(`The quantity of line ${line} is fixed.`, line)
  if (!isInRange(chosen, item.quantityRange)) {
    const { min, max, step } = item.quantityRange
    throw new ChoiceError(`The quantity of line ${line} must be from ${min} to ${max} in steps of ${step}.`, line)
  }
  return shortestDecimal(chosen)
}

/** Returns whether the quantity is within the bounds and a whole number of steps from the minimum. */
export function isInRange(quantity: string, range: QuantityRange): boolean {
  try {
    const [value, min, max, step] = [quantity, range.min, range.max, range.step].map((each) => parseDecimal(each, quantityDigits))
    if (value === undefined || min === undefined || max === undefined || step === undefined || step === 0n) return false
    return value >= min && value <= max && (value - min) % step === 0n
  } catch (error) {
    if (error instanceof RangeError) return false
    throw error
  }
}
