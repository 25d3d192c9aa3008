import { describe, expect, it } from 'vitest'
import { readConfig, sessionDatabaseUrl } from './config.ts'
import { noProxies } from './lib/trusted-proxies.ts'

describe('readConfig', () => {
  it('has a default for every setting', () => {
    expect(readConfig({})).toEqual({
      BACKUP_EVERY: 86_400_000,
      BACKUP_KEEP: 7,
      HOST: '127.0.0.1',
      PORT: 4000,
      DATA_DIR: './data',
      DATABASE_POOL_SIZE: 20,
      ROLE: 'all',
      FETCH_ALLOW_HOSTS: [],
      INDEX_DISK_GB: 10,
      OCR_MAX_PAGES: 100,
      OTEL_SERVICE_NAME: 'groundwork',
      OCR_MAX_MEGAPIXELS: 400,
      YOUTUBE_URL: 'https://www.youtube.com',
      RATE_LIMIT_PER_TOKEN: 60_000,
      RATE_LIMIT_PER_ORGANIZATION: 120_000,
      RETAIN_EVENTS_DAYS: 90,
      RETAIN_AUDIT_DAYS: 400,
      RETAIN_RETRIEVALS_DAYS: 365,
      TRUSTED_PROXIES: noProxies,
      CORS_ORIGINS: [],
      DRAIN_SECONDS: 0,
      LOG_LEVEL: 'info',
      LOG_REQUESTS: 'all',
    })
  })

  it('treats empty variables as unset and splits lists', () => {
    expect(readConfig({ DATABASE_URL: '', PORT: '', FETCH_ALLOW_HOSTS: ' a.example , b:81,' })).toMatchObject({
      PORT: 4000,
      FETCH_ALLOW_HOSTS: ['a.example', 'b:81'],
    })
  })

  it.each([
    ['PORT', 'http'],
    ['PORT', '70000'],
    ['PORT', '4e3'],
    ['PORT', '0x10'],
    ['RATE_LIMIT_PER_TOKEN', '-1'],
    ['RATE_LIMIT_PER_ORGANIZATION', 'none'],
    ['DATABASE_POOL_SIZE', '1'],
    ['LOG_REQUESTS', 'some'],
    ['BASE_URL', '/'],
    ['DATABASE_URL', 'mysql://localhost/x'],
    ['DATABASE_POOLER', 'statement'],
    ['DATABASE_DIRECT_URL', 'localhost'],
    ['DATABASE_REPLICA_URL', 'localhost'],
    ['DATABASE_REPLICA_URL', 'postgres://replica/x'],
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
    ['DRAIN_SECONDS', '-1'],
    ['LOG_LEVEL', 'loud'],
    ['BACKUP_EVERY', 'daily'],
    ['BACKUP_EVERY', '0h'],
    ['BACKUP_KEEP', '0'],
    ['SEARCH_URL', 'https://search.example.com:9200'],
    ['STORAGE_URL', 'https://bucket.example.com'],
    ['STORAGE_URL', 's3://'],
    ['STORAGE_URL', 's3://Bucket_1'],
    ['STORAGE_URL', 's3://bucket/a b'],
    ['STORAGE_URL', 's3://bucket/../other'],
    ['STORAGE_URL', 's3://bucket?endpoint=localhost:9000'],
    ['STORAGE_URL', 's3://bucket?endpoint=http://localhost:9000/path'],
    ['STORAGE_URL', 's3://bucket?pathStyle=yes'],
    ['STORAGE_URL', 's3://bucket?regoin=eu-central-1'],
    ['STORAGE_URL', 'file://files'],
    ['RETAIN_CONTRACTS_YEARS', '0'],
    ['RETAIN_CONTRACTS_YEARS', '101'],
    ['RETAIN_CONTRACTS_YEARS', '2.5'],
  ])('rejects an invalid value by name: %s=%s', (name, value) => {
    expect(() => readConfig({ [name]: value })).toThrow(new RegExp(`^${name}: `))
  })

  it('requires settings that belong together', () => {
    expect(() => readConfig({ EMBEDDINGS_URL: 'http://localhost:1/v1' })).toThrow(/EMBEDDINGS_MODEL/)
    const url = 'http://localhost:1/v1'
    expect(() => readConfig({ EMBEDDINGS_DIR: '/models/e5', EMBEDDINGS_URL: url })).toThrow(/^EMBEDDINGS_DIR and EMBEDDINGS_URL: only one/)
    expect(() => readConfig({ RERANK_DIR: '/models/r', RERANK_URL: url })).toThrow(/^RERANK_DIR and RERANK_URL: only one/)
    expect(() => readConfig({ OIDC_ISSUER: 'https://login.example.com' })).toThrow(/^OIDC_CLIENT_ID and OIDC_CLIENT_SECRET: /)
    expect(() => readConfig({ OIDC_CLIENT_ID: 'x', OIDC_CLIENT_SECRET: 'y' })).toThrow(/^OIDC_ISSUER: /)
    expect(() => readConfig({ ROLE: 'worker' })).toThrow(/ROLE: .*DATABASE_URL/)
  })

  it('requires the address of the server itself beside a pooler, and only then', () => {
    const [DATABASE_URL, DATABASE_DIRECT_URL] = ['postgres://pooler/x', 'postgres://server/x']
    const pooled = { DATABASE_POOLER: 'transaction', DATABASE_URL, DATABASE_DIRECT_URL }
    expect(readConfig(pooled)).toMatchObject(pooled)
    expect(sessionDatabaseUrl(readConfig(pooled))).toBe(DATABASE_DIRECT_URL)
    expect(sessionDatabaseUrl(readConfig({ DATABASE_URL }))).toBe(DATABASE_URL)
    for (const missing of ['DATABASE_URL', 'DATABASE_DIRECT_URL'])
      expect(() => readConfig({ ...pooled, [missing]: '' })).toThrow(/^DATABASE_POOLER: needs DATABASE_URL.*DATABASE_DIRECT_URL/)
    expect(() => readConfig({ ...pooled, DATABASE_POOLER: '' })).toThrow(/^DATABASE_DIRECT_URL: .*DATABASE_POOLER=transaction/)
  })

  it('reads the place of the files', () => {
    const keys = { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'secret' }
    const place = (STORAGE_URL: string) => readConfig({ STORAGE_URL, ...keys }).STORAGE_URL
    expect(place('s3://bucket')).toEqual({
      kind: 's3',
      bucket: 'bucket',
      prefix: '',
      endpoint: 'https://s3.us-east-1.amazonaws.com',
      publicEndpoint: 'https://s3.us-east-1.amazonaws.com',
      region: 'us-east-1',
      pathStyle: false,
      directUploads: true,
      credentials: null,
    })
    const other = 's3://k%2Fey:se%20cret@bucket/a/b/?endpoint=http://s3:9000&publicEndpoint=https://files.example.com&uploads=api'
    expect(place(other)).toMatchObject({
      prefix: 'a/b',
      endpoint: 'http://s3:9000',
      publicEndpoint: 'https://files.example.com',
      pathStyle: true,
      directUploads: false,
      credentials: { accessKeyId: 'k/ey', secretAccessKey: 'se cret' },
    })
    expect(place('file:///var/lib/files')).toEqual({ kind: 'folder', folder: '/var/lib/files' })
    expect(() => readConfig({ STORAGE_URL: 's3://bucket' })).toThrow(/^AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY: are required/)
  })

  it.each([
    ['CHAT_TEMPERATURE', '1', 'CHAT_TEMPERATURE: is not a setting of this version.'],
    ['EMBEDDINGS_MODLE', 'm', 'EMBEDDINGS_MODLE: is not a setting of this version. Did you mean EMBEDDINGS_MODEL?'],
    ['RATE_LIMIT_PER_TOKENS', '1', 'RATE_LIMIT_PER_TOKENS: is not a setting of this version. Did you mean RATE_LIMIT_PER_TOKEN?'],
    ['DATABSE_URL', 'postgres://localhost/x', 'DATABSE_URL: is not a setting of this version. Did you mean DATABASE_URL?'],
    ['SECRET_KYE', 'k', 'SECRET_KYE: is not a setting of this version. Did you mean SECRET_KEY?'],
  ])('rejects the unknown setting %s', (name, value, message) => {
    expect(() => readConfig({ [name]: value })).toThrow(message)
  })

  it('reports all unknown settings at once', () => {
    expect(() => readConfig({ CHAT_TEMPERATURE: '1', SMTP_HOST: 'mail' })).toThrow(
      /^CHAT_TEMPERATURE: .*\nSMTP_HOST: .*Did you mean SMTP_URL\?$/,
    )
  })

  it('ignores the variables of other programs', () => {
    const foreign = {
      PATH: '/usr/bin',
      MAIL: '/var/mail/root',
      SEARCH_SERVICE_HOST: '10.0.0.7',
      SEARCH_SERVICE_PORT_HTTP: '80',
      SEARCH_PORT: 'tcp://10.0.0.7:80',
      SEARCH_PORT_80_TCP_ADDR: '10.0.0.7',
      CHROMIUM_FLAGS: '--no-sandbox',
      SECRET_KEY_BASE: 'of another program',
      STORAGE_URL: '',
    }
    expect(readConfig(foreign)).toEqual(readConfig({}))
  })

  it('ignores a misspelt variable if the setting it resembles is set', () => {
    const key = 'a'.repeat(32)
    expect(readConfig({ SECRET_KEY: key, SECRET_KEYS: 'x' }).SECRET_KEY).toBe(key)
  })

  it('drains for 5 seconds with a database server and not at all with the embedded engine', () => {
    expect(readConfig({}).DRAIN_SECONDS).toBe(0)
    expect(readConfig({ DATABASE_URL: 'postgres://localhost/x' }).DRAIN_SECONDS).toBe(5)
    expect(readConfig({ DRAIN_SECONDS: '30' }).DRAIN_SECONDS).toBe(30)
  })
})
