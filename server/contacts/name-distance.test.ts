import { expect, test } from 'vitest'
import { nameDistances, soundForm, spellingDistance, typingDistance } from './name-distance.ts'

const distance = (query: string, names: string): number | undefined =>
  nameDistances(query.split(' ').map((word) => ({ word, latin: [] })))(names)

test('A name is as far from a search as its words have typing errors', () => {
  expect(distance('john smith', 'john smith|')).toBe(0)
  expect(distance('smith john', 'john smith|'), 'in another order').toBe(0)
  expect(distance('john smi', 'john smith|'), 'first letters').toBeCloseTo(0.4)
  expect(distance('john smoth', 'john smith|'), 'another letter').toBe(1)
  expect(distance('jonh smith', 'john smith|'), 'swapped letters').toBe(0.9)
  expect(distance('jhon smitth', 'john smith|'), 'an error in each word').toBeCloseTo(1.9)
  expect(distance('john baker', 'john smith|'), 'another last name').toBeUndefined()
  expect(distance('van', 'ivan|'), 'a missing first letter counts double').toBeUndefined()
})

test('Spellings of one sound are near, and those of another word are infinitely far', () => {
  expect(spellingDistance('mohammed', 'muhamad'), 'two other vowels').toBeCloseTo(0.65)
  expect(spellingDistance('tchaikovsky', 'chaikovsky')).toBeCloseTo(0.05)
  expect(spellingDistance('mohammed', 'smith')).toBe(Number.POSITIVE_INFINITY)
  expect(spellingDistance('4711', '4712'), 'numbers have no sound').toBe(Number.POSITIVE_INFINITY)
  expect(distance('min su kim', 'kim minsu|minsu kim'), 'other divisions into words').toBeCloseTo(0.15)
})

test('Words in another script are compared by their Latin spellings', () => {
  const toElena = nameDistances([{ word: 'елена', latin: ['elena'] }])
  expect(toElena('елена|elena')).toBe(0)
  expect(toElena('elena|')).toBeCloseTo(0.05)
  expect(toElena('yelena|'), 'another spelling').toBeCloseTo(0.35)
  expect(toElena('peter|')).toBeUndefined()
})

test('The distance of two long words is cut off where too many letters differ, and not before', () => {
  expect(typingDistance('wolfeschlegelstein', 'wolfeschlegelsten')).toBe(1)
  expect(typingDistance('wolfeschlegelstein', 'wolfeschlgelsteni')).toBe(1.9)
  expect(typingDistance('wolfeschlegelstein', 'wolfescxlexelxtein')).toBe(Number.POSITIVE_INFINITY)
  expect(typingDistance('abcdefgh', 'badcfehg'), 'four pairs of swapped letters').toBe(Number.POSITIVE_INFINITY)
})

test('A sound form has one letter for each sound', () => {
  expect(['smith', 'schmidt', 'khan', 'phillips', 'rex', 'anna', 'li'].map(soundForm)).toEqual([
    'smit',
    'Smidt',
    'Kan',
    'filips',
    'reks',
    'ana',
    'li',
  ])
})
