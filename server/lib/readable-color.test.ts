import { expect, it } from 'vitest'
import { readableColor } from './readable-color.ts'

it.each([
  ['#1f5f8b', '#1f5f8b'],
  ['#000000', '#000000'],
  // The lightest gray with a contrast of 4.5.
  ['#767676', '#767676'],
  ['#ffffff', '#757575'],
])('of %s is %s', (color, shade) => {
  expect(readableColor(color)).toBe(shade)
})

it('keeps the hue of a light color', () => {
  const shade = readableColor('#ffff00')
  expect(shade).toMatch(/^#([0-7].)\1(?:00)$/)
  expect(readableColor(shade)).toBe(shade)
})
