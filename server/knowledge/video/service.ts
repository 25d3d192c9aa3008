import { SourceError } from '../../lib/errors.ts'
import { networkError, OutboundError } from '../../outbound/error.ts'
import type { Fetch } from '../../outbound/trusted.ts'

/** The video service. */
export interface VideoService {
  /** YOUTUBE_URL: its path, if any, precedes every requested path. */
  readonly baseUrl: string
  readonly fetch: Fetch
}

export interface ServiceReply {
  readonly status: number
  readonly text: string
}

const timeoutMs = 30_000
/** Captions of twelve hours have about five million bytes. */
const maxBytes = 20_000_000

/**
 * Makes one request and reads the whole response, without following redirects. Returns only statuses that concern the video.
 * @throws SourceError `transcript_blocked` for 429 and `fetch_failed` for other, possibly temporary errors of the service
 */
export async function askService(
  { baseUrl, fetch }: VideoService,
  path: string,
  init: RequestInit,
  signal: AbortSignal,
): Promise<ServiceReply> {
  const address = new URL(`${baseUrl.replace(/\/+$/, '')}${path}`)
  try {
    const reply = await fetch(address, { ...init, redirect: 'manual', signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]) })
    const text = await textOf(reply)
    if (reply.status === 429) throw rateLimited()
    if (reply.status === 408 || reply.status >= 500)
      throw new SourceError('fetch_failed', `YouTube answered with status ${reply.status}.`, { retryable: true })
    return { status: reply.status, text }
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof SourceError) throw error
    if (error instanceof Error && error.name === 'TimeoutError')
      throw new OutboundError('timeout', `YouTube did not answer within ${timeoutMs / 1000} seconds.`, { retryable: true, cause: error })
    throw networkError(address.host, error)
  }
}

async function textOf(reply: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of reply.body ?? []) {
    size += chunk.length
    if (size > maxBytes)
      throw new SourceError('too_large', `YouTube's response is larger than ${maxBytes / 1_000_000} MB, the maximum size of captions.`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}

export const uploadHint = 'Upload a transcript file (VTT, SRT or TXT) instead and give its storageUrl beside the url.'

function rateLimited(): SourceError {
  return new SourceError('transcript_blocked', `YouTube gets too many requests from this server (429). Try again later. ${uploadHint}`, {
    retryable: true,
  })
}
