import { describe, expect, it } from 'vitest'
import { contentDisposition, parseRange } from './file.ts'

describe('parseRange', () => {
  it.each([
    ['', null],
    ['bytes=0-0', { start: 0, end: 0 }],
    ['bytes=2-4', { start: 2, end: 4 }],
    ['bytes=7-', { start: 7, end: 9 }],
    ['bytes=5-99', { start: 5, end: 9 }],
    ['bytes=-3', { start: 7, end: 9 }],
    ['bytes=-99', { start: 0, end: 9 }],
    ['bytes=10-', 'beyond'],
    ['bytes=-0', 'beyond'],
    ['bytes=4-2', null],
    ['bytes=0-1,3-4', null],
    ['lines=0-1', null],
    ['bytes=-', null],
    ['bytes=a-b', null],
  ])('%j of ten bytes', (header, range) => expect(parseRange(header, 10)).toEqual(range))

  it('is never satisfiable for an empty file', () => expect(parseRange('bytes=0-', 0)).toBe('beyond'))
})

describe('contentDisposition', () => {
  it.each([
    ['a.pdf', `attachment; filename="a.pdf"; filename*=UTF-8''a.pdf`],
    ['Öffnungszeiten (1).pdf', `attachment; filename="_ffnungszeiten (1).pdf"; filename*=UTF-8''%C3%96ffnungszeiten%20%281%29.pdf`],
    ['a"b%0d.txt', `attachment; filename="a_b_0d.txt"; filename*=UTF-8''a%22b%250d.txt`],
    ['../a\r\nSet-Cookie: x', `attachment; filename=".._a__Set-Cookie: x"; filename*=UTF-8''.._a__Set-Cookie%3A%20x`],
    ['🎉', `attachment; filename="_"; filename*=UTF-8''%F0%9F%8E%89`],
  ])('%j', (name, header) => expect(contentDisposition(name)).toBe(header))
})
