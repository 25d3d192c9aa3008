import { describe, expect, it } from 'vitest'
import { readConfig } from './config.ts'
import { noProxies } from './lib/trusted-proxies.ts'

describe('the configuration', () => {
  it('has a default for everything', () => {
    expect(readConfig({})).toEqual({
      HOST: '127.0.0.1',
      PORT: 4000,
      DATA_DIR: './data',
      ROLE: 'all',
      FETCH_ALLOW_HOSTS: [],
      YOUTUBE_URL: 'https://www.youtube.com',
      RATE_LIMIT_PER_TOKEN: 60_000,
      RATE_LIMIT_PER_ORGANIZATION: 120_000,
      TRUSTED_PROXIES: noProxies,
      CORS_ORIGINS: [],
      LOG_LEVEL: 'info',
    })
  })

  it('takes an empty variable for an unset one, and splits lists', () => {
    expect(readConfig({ DATABASE_URL: '', PORT: '', FETCH_ALLOW_HOSTS: ' a.example , b:81,' })).toMatchObject({
      PORT: 4000,
      FETCH_ALLOW_HOSTS: ['a.example', 'b:81'],
    })
  })

  it.each([
    ['PORT', 'http'],
    ['PORT', '70000'],
    ['RATE_LIMIT_PER_TOKEN', '-1'],
    ['RATE_LIMIT_PER_ORGANIZATION', 'none'],
    ['BASE_URL', '/'],
    ['DATABASE_URL', 'mysql://localhost/x'],
    ['ROLE', 'both'],
    ['EMBEDDINGS_URL', 'localhost:1234'],
    ['RERANK_URL', 'localhost:1234'],
    ['OIDC_ISSUER', 'login.example.com'],
    ['EMBEDDINGS_DIMENSIONS', '0'],
    ['SECRET_KEY', 'short'],
    ['METRICS_TOKEN', 'sixteen letters!  '],
    ['TRUSTED_PROXIES', 'proxy.example.com'],
    ['TRUSTED_PROXIES', '10.0.0.0/8, 10.0.0.0/33'],
    ['TRUSTED_PROXIES', '0.0.0.0/0'],
    ['TRUSTED_PROXIES', '17'],
    ['CORS_ORIGINS', '*'],
    ['CORS_ORIGINS', 'https://app.example.com/'],
    ['CORS_ORIGINS', 'app.example.com'],
    ['LOG_LEVEL', 'loud'],
  ])('names %s when it is %s', (name, value) => {
    expect(() => readConfig({ [name]: value })).toThrow(new RegExp(`^${name}: `))
  })

  it('wants what belongs together', () => {
    expect(() => readConfig({ EMBEDDINGS_URL: 'http://localhost:1/v1' })).toThrow(/EMBEDDINGS_MODEL/)
    expect(() => readConfig({ OIDC_ISSUER: 'https://login.example.com' })).toThrow(/^OIDC_CLIENT_ID and OIDC_CLIENT_SECRET: /)
    expect(() => readConfig({ OIDC_CLIENT_ID: 'x', OIDC_CLIENT_SECRET: 'y' })).toThrow(/^OIDC_ISSUER: /)
    expect(() => readConfig({ ROLE: 'worker' })).toThrow(/ROLE: .*DATABASE_URL/)
  })
})
