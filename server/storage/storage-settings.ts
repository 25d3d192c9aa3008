import { fileURLToPath } from 'node:url'
import { parseS3Url, type S3Credentials, type S3Settings, type S3Url } from './s3/settings.ts'

/** The place of the files: a folder of this machine, or a bucket. */
export type StorageSettings = { readonly kind: 'folder'; readonly folder: string } | ({ readonly kind: 's3' } & S3Settings)

/** The place in a URL, which may lack the keys of a bucket. */
export type StorageUrl = { readonly kind: 'folder'; readonly folder: string } | ({ readonly kind: 's3' } & S3Url)

/**
 * Parses `s3://bucket/prefix?endpoint=…` or `file:///folder`.
 * @throws Error that names the wrong part
 */
export function parseStorageUrl(text: string): StorageUrl {
  if (text.startsWith('s3://')) return { kind: 's3', ...parseS3Url(text) }
  if (!/^file:\/\/\/./.test(text) || !URL.canParse(text)) throw new Error('must be a URL that begins with s3:// or file:///')
  return { kind: 'folder', folder: fileURLToPath(text) }
}

/** Completes a URL with the configured keys. @throws Error if it needs keys, and none are configured */
export function withCredentials(url: StorageUrl, configured: S3Credentials | null): StorageSettings {
  if (url.kind === 'folder') return url
  const credentials = url.credentials ?? configured
  if (credentials === null) throw new Error('AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY: are required for a bucket')
  return { ...url, credentials }
}
