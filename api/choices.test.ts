import { describe, expect, it } from 'vitest'
import { acceptedLines, ChoiceError, chosenQuantities, isInRange } from './choices.ts'
import { totalsOf, type OfferLine } from './money.ts'
import { line } from './testing-lines.ts'

const option = (parts: Partial<OfferLine> = {}): OfferLine => line({ optional: true, ...parts })
const range = { min: '2', max: '10', step: '2' }

const items = [
  line({}),
  option(),
  option({ preselected: true }),
  line({ quantity: '4.00', quantityRange: range }),
  option({ group: 'Support', unitPrice: '5' }),
  option({ group: 'Support', unitPrice: '7', preselected: true }),
]

describe('chosenQuantities', () => {
  it('has the preselected lines by default', () => {
    expect(chosenQuantities(items, {})).toEqual(['1', null, '1', '4', null, '1'])
  })

  it('has chosen lines and quantities', () => {
    expect(chosenQuantities(items, { lines: [1, 4], quantities: { 3: '10.0' } })).toEqual(['1', '1', null, '10', '1', null])
    expect(chosenQuantities(items, { lines: [] })).toEqual(['1', null, null, '4', null, null])
  })

  it('leaves out a line whose quantity is changed to 0', () => {
    const given = [line({}), line({ quantityRange: { min: '0', max: '3', step: '1' } }), line({ quantity: '0' })]
    expect(chosenQuantities(given, { quantities: { 1: '0' } })).toEqual(['1', null, '0'])
  })

  it('are the quantities of totals', () => {
    const quantities = chosenQuantities(items, { lines: [4], quantities: { 3: '2' } })
    const offer = { currency: 'EUR', pricesIncludeTax: false, discount: null, discountPercent: null, items }
    expect(totalsOf(offer, quantities).totalAmount).toBe('8.00')
  })

  it.each([
    ['a line that does not exist', { lines: [6] }, 6],
    ['a fraction', { lines: [0.5] }, 0.5],
    ['a fixed line', { lines: [0] }, 0],
    ['two lines of a group', { lines: [4, 5] }, 5],
    ['a fixed quantity', { quantities: { 0: '2' } }, 0],
    ['a quantity below the minimum', { quantities: { 3: '0' } }, 3],
    ['a quantity above the maximum', { quantities: { 3: '12' } }, 3],
    ['a quantity between two steps', { quantities: { 3: '3' } }, 3],
    ['a quantity that is no number', { quantities: { 3: '-2' } }, 3],
    ['a quantity of a line that does not exist', { quantities: { 9: '2' } }, 9],
  ])('refuse %s', (_name, choices, at) => {
    expect(() => chosenQuantities(items, choices)).toThrow(ChoiceError)
    expect(() => chosenQuantities(items, choices)).toThrow(expect.objectContaining({ line: at }))
  })
})

describe('acceptedLines', () => {
  it('are all lines that count, in their order', () => {
    expect(acceptedLines(items)).toEqual([
      { line: 0, quantity: '1' },
      { line: 2, quantity: '1' },
      { line: 3, quantity: '4' },
      { line: 5, quantity: '1' },
    ])
    const reordered = acceptedLines(items, { lines: [4, 1], quantities: { 3: '02' } })
    expect(reordered).toEqual(acceptedLines(items, { quantities: { 3: '2' }, lines: [1, 4] }))
  })

  it('are none for a proposal without lines', () => expect(acceptedLines([])).toEqual([]))

  it.each([
    ['nothing fixed and nothing chosen', [option()], {}],
    ['a fixed line with a quantity of 0', [line({ quantityRange: { min: '0', max: '1', step: '1' } })], { quantities: { 0: '0' } }],
    ['no line of a group', [line({}), option({ group: 'a' }), option({ group: 'a' })], {}],
  ])('refuse %s', (_name, given, choices) => expect(() => acceptedLines(given, choices)).toThrow(ChoiceError))
})

it('isInRange refuses a range without steps or numbers', () => {
  expect(isInRange('4', range)).toBe(true)
  expect(isInRange('4', { ...range, step: '0' })).toBe(false)
  expect(isInRange('4', { ...range, max: 'x' })).toBe(false)
})
