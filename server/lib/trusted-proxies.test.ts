import { describe, expect, it } from 'vitest'
import { parseTrustedProxies } from './trusted-proxies.ts'

describe('TRUSTED_PROXIES', () => {
  it('accepts addresses and ranges of both families', () => {
    const { trusts } = parseTrustedProxies(' 127.0.0.1, 10.0.0.0/8,2001:db8::/32,::1,')
    for (const address of ['127.0.0.1', '10.255.0.1', '2001:db8:ffff::1', '::1'])
      expect([address, trusts(address, 0)]).toEqual([address, true])
    for (const address of ['127.0.0.2', '11.0.0.1', '2001:db9::1', '', 'unknown'])
      expect([address, trusts(address, 0)]).toEqual([address, false])
  })

  it('accepts a hop count', () => {
    const { trusts } = parseTrustedProxies('2')
    expect([0, 1, 2].map((hop) => trusts('203.0.113.1', hop))).toEqual([true, true, false])
    expect(parseTrustedProxies('0').trusts('127.0.0.1', 0)).toBe(false)
  })

  it.each(['proxy', '10.0.0.0/33', '10.0.0.0/', '10.0.0.0/8/8', '::/129', '10.0.0', '-1', '1.5', '10.0.0.1;10.0.0.2'])(
    'refuses %s',
    (value) => {
      expect(() => parseTrustedProxies(value)).toThrow(/not an IP address, a CIDR range or a hop count/)
    },
  )

  it('rejects a range that trusts every client', () => {
    for (const value of ['0.0.0.0/0', '::/0', '127.0.0.1,::/0'])
      expect(() => parseTrustedProxies(value)).toThrow(/would trust every client/)
    expect(() => parseTrustedProxies('99')).toThrow(/at most 16/)
  })
})
