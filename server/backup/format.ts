import { z } from 'zod'

/** Raised when an older program could not read a backup of this one. */
export const formatVersion = 1

const sha256 = z.string().regex(/^[0-9a-f]{64}$/)

/** The first entry of a backup. It tells whether this program can restore the backup. */
const headerSchema = z.object({
  format: z.literal('groundwork-backup'),
  formatVersion: z.number().int(),
  /** A UUID. */
  id: z.string(),
  programVersion: z.string(),
  createdAt: z.string(),
  engine: z.enum(['embedded', 'postgresql']),
  /** Applied migrations in order, with the SHA-256 of their files. */
  migrations: z.array(z.object({ name: z.string(), sha256: sha256.nullable() })),
  /** The tables whose rows the backup has, with their columns; quoted names. */
  tables: z.array(z.object({ name: z.string(), columns: z.array(z.string()) })),
  /** Version of the tables of the job queue; null without them. */
  queueVersion: z.number().int().nullable(),
  storeId: z.string().nullable(),
  /** HMAC of a constant under the secret key, in hexadecimal: tells whether a key is the one of the backup. Null before the first start. */
  secretKeyCheck: z.string().nullable(),
  /** The secret key, encrypted with a key file; base64. */
  sealedSecretKey: z.string().nullable(),
})
export type Header = z.output<typeof headerSchema>

const tableSchema = z.object({
  name: z.string(),
  rows: z.number().int(),
  /** See `rowDigest`. */
  digest: sha256,
})

/** The last entry but one of a backup. */
const manifestSchema = z.object({
  id: z.string(),
  tables: z.array(tableSchema),
  sequences: z.array(z.object({ name: z.string(), value: z.string(), isCalled: z.boolean() })),
  files: z.object({ count: z.number().int(), bytes: z.number().int() }),
  /** SHA-256 of all other entries except the files, which lists of files hold. */
  entries: z.array(z.object({ name: z.string(), sha256 })),
})
export type Manifest = z.output<typeof manifestSchema>
export type ManifestTable = Manifest['tables'][number]

/** Names of the entries of a backup, in their order. */
export const entryNames = {
  header: 'groundwork-backup.json',
  /** `files/KEY`. After at most 1,000 of them comes a list with their SHA-256. */
  files: 'files/',
  /** `file-lists/NUMBER.json`: `[key, sha256][]` of the files since the last list. */
  fileLists: 'file-lists/',
  /** `tables/NUMBER-NAME/NUMBER.gz`: rows in COPY's text format, gzip. NUMBER is the index of the table in the header. */
  tables: 'tables/',
  manifest: 'manifest.json',
  /** The SHA-256 of the manifest. */
  manifestSha256: 'manifest.sha256',
} as const

/** The first entry of the export of an organization (server/transfer), which has the same form otherwise. */
export const exportHeaderName = 'groundwork-organization.json'

/** @throws Error if the backup has another format, or one of a newer version */
export function parseHeader(text: string): Header {
  const version = z.object({ format: z.literal('groundwork-backup'), formatVersion: z.number() }).safeParse(parseJson(text))
  if (!version.success) throw new Error('This file is not a backup of Groundwork.')
  if (version.data.formatVersion > formatVersion)
    throw new Error(
      `The backup has format ${version.data.formatVersion}; this version reads up to ${formatVersion}. Use a newer Groundwork.`,
    )
  return headerSchema.parse(parseJson(text))
}

export const parseManifest = (text: string): Manifest => manifestSchema.parse(parseJson(text))

const fileListSchema = z.array(z.tuple([z.string(), sha256]))

/** Returns keys and SHA-256; null if the text is no such list. */
export const parseFileList = (text: string): z.output<typeof fileListSchema> | null =>
  fileListSchema.safeParse(parseJson(text)).data ?? null

/** Returns undefined for a text that is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
