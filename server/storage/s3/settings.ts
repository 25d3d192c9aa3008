/** A place for objects in a bucket, with the keys for it. */
export interface S3Settings {
  readonly bucket: string
  /** Without slashes at its ends; empty for the whole bucket. */
  readonly prefix: string
  /** Origin of the service, without the bucket. */
  readonly endpoint: string
  /** Origin of the service for browsers and other clients that send files. */
  readonly publicEndpoint: string
  readonly region: string
  /** Whether the bucket is in the path, not in the host name. */
  readonly pathStyle: boolean
  /** Whether clients send files to the service directly, with signed URLs. */
  readonly directUploads: boolean
  readonly credentials: S3Credentials
}

export interface S3Credentials {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly sessionToken: string | undefined
}

/** The place and the options of an `s3://` URL. Credentials are null unless the URL has them. */
export type S3Url = Omit<S3Settings, 'credentials'> & { readonly credentials: S3Credentials | null }

const parameters = ['endpoint', 'publicEndpoint', 'region', 'pathStyle', 'uploads']
const bucketPattern = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/
const prefixPattern = /^[\w.-]+(\/[\w.-]+)*$/

/**
 * Parses `s3://bucket/prefix?endpoint=…&region=…&pathStyle=true`. Without an endpoint, it is Amazon S3 in the region.
 * @throws Error that names the wrong part
 */
export function parseS3Url(text: string): S3Url {
  const [, rest = ''] = /^s3:\/\/(.*)$/s.exec(text) ?? []
  // URL parsers treat the host of unknown schemes differently, so the bucket takes the place of a web host.
  if (rest.includes('..') || !URL.canParse(`http://${rest}`))
    throw new Error('must be a URL such as s3://bucket/prefix?endpoint=https://s3.example.com')
  const url = new URL(`http://${rest}`)
  const unknown = [...url.searchParams.keys()].find((name) => !parameters.includes(name))
  if (unknown !== undefined) throw new Error(`has the unknown parameter "${unknown}"; known are ${parameters.join(', ')}`)
  if (!bucketPattern.test(url.hostname) || url.port !== '') throw new Error(`"${url.host}" is not the name of a bucket`)
  const prefix = url.pathname.replace(/^\/|\/$/g, '')
  if (prefix !== '' && !prefixPattern.test(prefix))
    throw new Error('has a prefix with other characters than letters, digits, dots, dashes, underscores and slashes')
  const option = (name: string): string | null => url.searchParams.get(name)
  const region = option('region') ?? 'us-east-1'
  const given = option('endpoint')
  const endpoint = originOf('endpoint', given ?? `https://s3.${region}.amazonaws.com`)
  return {
    bucket: url.hostname,
    prefix,
    endpoint,
    publicEndpoint: originOf('publicEndpoint', option('publicEndpoint') ?? endpoint),
    region,
    pathStyle: choice('pathStyle', option('pathStyle') ?? String(given !== null), 'true', 'false') === 'true',
    directUploads: choice('uploads', option('uploads') ?? 'direct', 'direct', 'api') === 'direct',
    credentials:
      url.username === ''
        ? null
        : {
            accessKeyId: decodeURIComponent(url.username),
            secretAccessKey: decodeURIComponent(url.password),
            sessionToken: undefined,
          },
  }
}

function originOf(name: string, value: string): string {
  if (!URL.canParse(value) || !/^https?:$/.test(new URL(value).protocol) || !/^\/?$/.test(new URL(value).pathname))
    throw new Error(`${name} must be an origin such as https://s3.example.com`)
  return new URL(value).origin
}

function choice(name: string, value: string, ...choices: readonly string[]): string {
  if (choices.includes(value)) return value
  throw new Error(`${name} must be ${choices.join(' or ')}`)
}

/** Returns the place without its options and keys, for messages. */
export const s3Location = ({ bucket, prefix }: Pick<S3Settings, 'bucket' | 'prefix'>): string =>
  `s3://${bucket}${prefix === '' ? '' : `/${prefix}`}`

/** Returns the origin of the requests for a bucket. */
export function bucketOrigin({ bucket, pathStyle }: Pick<S3Settings, 'bucket' | 'pathStyle'>, endpoint: string): string {
  if (pathStyle) return endpoint
  const url = new URL(endpoint)
  return `${url.protocol}//${bucket}.${url.host}`
}
