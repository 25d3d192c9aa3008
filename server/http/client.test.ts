import { Socket } from 'node:net'
import { describe, expect, it } from 'vitest'
import { noProxies, parseTrustedProxies } from '../lib/trusted-proxies.ts'
import { clientOf } from './client.ts'

const proxies = parseTrustedProxies('10.0.0.0/8, ::1, 2001:db8:ffff::/48')

function client(peer: string, headers: Record<string, string>, trusted = proxies) {
  const socket = Object.defineProperty(new Socket(), 'remoteAddress', { value: peer })
  return clientOf({ socket, headers }, trusted)
}

const address = (peer: string, headers: Record<string, string>, trusted = proxies): string => client(peer, headers, trusted).address

describe('clientOf: the address', () => {
  it('is the peer if the peer is not a trusted proxy', () => {
    const headers = { 'x-forwarded-for': '198.51.100.9', forwarded: 'for=198.51.100.9;proto=https', 'x-forwarded-proto': 'https' }
    expect(client('203.0.113.1', headers)).toEqual({ address: '203.0.113.1', scheme: undefined })
    expect(client('10.0.0.1', headers, noProxies)).toEqual({ address: '10.0.0.1', scheme: undefined })
  })

  it('is the peer if a trusted proxy reports no client', () => {
    expect(address('10.0.0.1', {})).toBe('10.0.0.1')
    expect(address('10.0.0.1', { 'x-forwarded-for': '' })).toBe('10.0.0.1')
  })

  it('is dotted for IPv4-mapped IPv6 and has no zone', () => {
    expect(address('::ffff:203.0.113.1', {})).toBe('203.0.113.1')
    expect(address('fe80::1%eth0', {})).toBe('fe80::1')
    expect(address('::ffff:10.0.0.1', { 'x-forwarded-for': '::FFFF:203.0.113.1' })).toBe('203.0.113.1')
  })

  it.each([
    ['203.0.113.1', '203.0.113.1'],
    ['198.51.100.9, 203.0.113.1', '203.0.113.1'],
    ['198.51.100.9, 203.0.113.1, 10.9.9.9', '203.0.113.1'],
    ['198.51.100.9,203.0.113.1,10.9.9.9 , 10.8.8.8', '203.0.113.1'],
    ['10.1.1.1, 10.2.2.2', '10.1.1.1'],
    ['203.0.113.1:4711', '203.0.113.1'],
    ['2001:DB8:0:0::1', '2001:db8::1'],
    ['[2001:db8::1]:4711', '2001:db8::1'],
    ['2001:db8::1, 2001:db8:ffff::7', '2001:db8::1'],
  ])('is the rightmost untrusted address of X-Forwarded-For: %s', (chain, expected) => {
    expect(address('10.0.0.1', { 'x-forwarded-for': chain })).toBe(expected)
  })

  it.each([
    'unknown',
    '_hidden',
    'localhost',
    '127.1',
    '0x7f.0.0.1',
    '999.1.1.1',
    '203.0.113.1, ',
    '[203.0.113.1]',
    '203.0.113.1:x',
    'a'.repeat(9000),
  ])('is the proxy that reports a malformed value: %.20s', (chain) => {
    expect(address('10.0.0.1', { 'x-forwarded-for': chain })).toBe('10.0.0.1')
    expect(address('10.0.0.1', { 'x-forwarded-for': `198.51.100.9, ${chain}` })).toBe('10.0.0.1')
    expect(address('10.0.0.1', { 'x-forwarded-for': `198.51.100.9, ${chain}, 10.0.0.2` })).toBe('10.0.0.2')
  })

  it.each([
    ['for=203.0.113.1', '203.0.113.1'],
    ['For="[2001:db8::1]:4711";Proto=https;by=10.0.0.1', '2001:db8::1'],
    ['for=198.51.100.9, for=203.0.113.1;host=example.com, for=10.9.9.9', '203.0.113.1'],
    ['for=198.51.100.9;ext=", for=203.0.113.1', '203.0.113.1'],
    ['for="198.51.100.9, for=203.0.113.1', '203.0.113.1'],
    ['for=198.51.100.9;ext="\\", for="203.0.113.1"', '203.0.113.1'],
    ['for=unknown', '10.0.0.1'],
    ['for="_gazonk"', '10.0.0.1'],
    ['proto=https', '10.0.0.1'],
    ['for=198.51.100.9;for=203.0.113.1', '10.0.0.1'],
    [';;;===', '10.0.0.1'],
  ])('is the rightmost untrusted address of Forwarded: %s', (forwarded, expected) => {
    expect(address('10.0.0.1', { forwarded })).toBe(expected)
  })

  it('is the proxy if both headers report different clients', () => {
    const real = '198.51.100.9, 203.0.113.1'
    expect(address('10.0.0.1', { 'x-forwarded-for': real, forwarded: 'for=203.0.113.1' })).toBe('203.0.113.1')
    expect(address('10.0.0.1', { 'x-forwarded-for': real, forwarded: 'for=198.51.100.9' })).toBe('10.0.0.1')
    expect(address('10.0.0.1', { 'x-forwarded-for': '198.51.100.9', forwarded: 'for=203.0.113.1' })).toBe('10.0.0.1')
  })

  it('is the configured number of hops away', () => {
    const chain = { 'x-forwarded-for': '198.51.100.9, 203.0.113.1, 203.0.113.2' }
    const behind = (hops: string): string => address('203.0.113.3', chain, parseTrustedProxies(hops))
    expect(['0', '1', '2', '3', '4'].map(behind)).toEqual(['203.0.113.3', '203.0.113.2', '203.0.113.1', '198.51.100.9', '198.51.100.9'])
  })
})

describe('clientOf: the scheme', () => {
  const scheme = (headers: Record<string, string>): string | undefined => client('10.0.0.1', headers).scheme

  it('is the one that the outermost trusted proxy reports', () => {
    expect(scheme({ 'x-forwarded-proto': 'HTTPS' })).toBe('https')
    expect(scheme({ 'x-forwarded-for': '203.0.113.1', 'x-forwarded-proto': 'http' })).toBe('http')
    expect(scheme({ 'x-forwarded-for': '203.0.113.1, 10.0.0.2', 'x-forwarded-proto': 'https' })).toBe('https')
    expect(scheme({ 'x-forwarded-for': '203.0.113.1, 10.0.0.2', 'x-forwarded-proto': 'http, https, http' })).toBe('https')
    expect(scheme({ forwarded: 'for=198.51.100.9;proto=http, for=203.0.113.1;proto=https, for=10.0.0.2;proto=http' })).toBe('https')
  })

  it('is undefined if no proxy reports one', () => {
    for (const headers of [{}, { 'x-forwarded-proto': 'gopher' }, { 'x-forwarded-proto': ',' }, { forwarded: 'for=203.0.113.1;proto="' }])
      expect(scheme(headers)).toBeUndefined()
  })
})
