import pg from 'pg'
import { formatByteSize } from '../lib/byte-size.ts'
import { AppError } from '../lib/errors.ts'

/** The SQLSTATE of the function `refuse_beyond_quota`. */
const beyondQuota = 'GQ001'

interface Detail {
  readonly kind: 'storage' | 'chunks' | 'sources'
  /** The use after the refused change. */
  readonly needed: number
  readonly quota: number
}

const messages: Readonly<Record<Detail['kind'], (detail: Detail) => string>> = {
  storage: ({ needed, quota }) =>
    `The organization can store ${formatByteSize(quota)}. With this file, it would store ${formatByteSize(needed)}.`,
  chunks: ({ needed, quota }) => `The organization can have ${quota} chunks. With this content, it would have ${needed}.`,
  sources: ({ needed, quota }) => `The organization can have ${quota} sources. With this source, it would have ${needed}.`,
}

/** Returns the error for clients if the transaction would have exceeded a quota; otherwise the same error. */
export function namingQuota(error: unknown): unknown {
  if (!(error instanceof pg.DatabaseError) || error.code !== beyondQuota) return error
  const detail = JSON.parse(error.detail ?? '') as Detail
  return new AppError('quota_exceeded', messages[detail.kind](detail), { cause: error })
}

export const exceedsQuota = (error: unknown): error is AppError => error instanceof AppError && error.code === 'quota_exceeded'

/** Returns the error of chunks that would exceed the quota. */
export const chunksBeyondQuota = (needed: number, quota: number): AppError =>
  new AppError('quota_exceeded', messages.chunks({ kind: 'chunks', needed, quota }))
