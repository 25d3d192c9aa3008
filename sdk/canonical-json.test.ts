import { describe, expect, it } from 'vitest'
import { canonicalJson } from './canonical-json.ts'

describe('canonicalJson', () => {
  it('writes the example of RFC 8785, section 3.2.4', () => {
    const value = JSON.parse(String.raw`{
      "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
      "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
      "literals": [null, true, false]
    }`)
    expect(canonicalJson(value)).toBe(
      String.raw`{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\u000f\nA'B\"\\\\\"/"}`,
    )
  })

  it('orders names as in RFC 8785, section 3.2.3, also those that look like numbers', () => {
    const names = ['\u20ac', '\r', '\ufb33', '1', '\ud83d\ude00', '\u0080', '\u00f6', '10', '9', '__proto__']
    const value: unknown = JSON.parse(`{${names.map((name) => `${JSON.stringify(name)}:0`).join(',')}}`)
    const ordered = ['\r', '1', '10', '9', '__proto__', '\u0080', '\u00f6', '\u20ac', '\ud83d\ude00', '\ufb33']
    expect(canonicalJson(value)).toBe(`{${ordered.map((name) => `${JSON.stringify(name)}:0`).join(',')}}`)
  })

  it.each([
    [-0, '0'],
    [9007199254740992, '9007199254740992'],
    [1e21, '1e+21'],
    [5e-324, '5e-324'],
  ])('writes the number %d as %s', (number, text) => expect(canonicalJson(number)).toBe(text))

  it('leaves out undefined properties', () => expect(canonicalJson({ b: undefined, a: { c: undefined } })).toBe('{"a":{}}'))

  it.each([['\ud800'], [{ '\udc00': 1 }], [Number.NaN], [Number.POSITIVE_INFINITY], [undefined], [[undefined]], [1n]])(
    'refuses %s',
    (value) => {
      expect(() => canonicalJson(value)).toThrow(/JSON has no/)
    },
  )
})
