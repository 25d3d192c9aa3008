import { describe, expect, it } from 'vitest'
import { createCookies } from './cookies.ts'

const url = (address: string): URL => new URL(address)

function stored(from: string, lines: readonly string[], now = () => 0) {
  const cookies = createCookies(now)
  const headers = new Headers()
  for (const line of lines) headers.append('set-cookie', line)
  cookies.store(url(from), headers)
  return cookies
}

describe('cookies', () => {
  it('are sent back to the host that set them, and to no other', () => {
    const cookies = stored('https://a.example/x/y', ['one=1; Path=/; HttpOnly', 'two="2"; Domain=example'])
    expect(cookies.header(url('https://a.example/x/z'))).toBe('one=1; two="2"')
    expect(cookies.header(url('https://a.example/z'))).toBe('one=1')
    expect(cookies.header(url('https://b.example/x/y'))).toBeNull()
    expect(cookies.header(url('https://example/x/y'))).toBeNull()
  })

  it('that are secure are sent over https only, and cannot be set over http', () => {
    expect(stored('https://a.example/', ['s=1; Secure']).header(url('http://a.example/'))).toBeNull()
    expect(stored('http://a.example/', ['s=1; Secure']).header(url('https://a.example/'))).toBeNull()
  })

  it('expire', () => {
    let time = 0
    const cookies = stored(
      'https://a.example/',
      ['short=1; Max-Age=10', 'long=1; Expires=Thu, 01 Jan 1970 01:00:00 GMT', 'past=1; Max-Age=0'],
      () => time,
    )
    expect(cookies.header(url('https://a.example/'))).toBe('short=1; long=1')
    time = 20_000
    expect(cookies.header(url('https://a.example/'))).toBe('long=1')
  })

  it('replace those of the same name, and are removed by their host', () => {
    const cookies = stored('https://a.example/', ['a=1', 'a=2', 'b=1', 'b=; Max-Age=0', 'nonsense', '=x'])
    expect(cookies.header(url('https://a.example/'))).toBe('a=2')
  })

  it('are limited in number and length', () => {
    const cookies = stored('https://a.example/', [`long=${'x'.repeat(5_000)}`, ...Array.from({ length: 80 }, (_, at) => `c${at}=1`)])
    expect(cookies.header(url('https://a.example/'))?.split('; ')).toHaveLength(50)
  })
})
