import type { FastifyInstance, FastifyRequest } from 'fastify'
import { isUtf8 } from 'node:buffer'
import { AppError } from '../lib/errors.ts'

/** Maximum nesting depth of a body. No field needs as much, and recursive functions can handle more. */
const maxDepth = 100

const quote = 0x22
const backslash = 0x5c
const openBrace = 0x7b
const closeBrace = 0x7d
const openBracket = 0x5b
const closeBracket = 0x5d

/** Accepts only JSON in UTF-8 and stores its bytes in `request.rawBody`. */
export function acceptJsonBodies(app: FastifyInstance): void {
  const parseJson = app.getDefaultJsonParser('error', 'error')
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body: Buffer, done) => {
    const refusal = refusalOf(request, body)
    if (refusal !== undefined) return done(refusal)
    request.rawBody = body
    return body.length === 0 ? done(null, undefined) : parseJson(request, body.toString(), done)
  })
  app.addContentTypeParser('*', ({ headers }, payload, done) => {
    payload.resume()
    const hint = /^multipart\//i.test(headers['content-type'] ?? '') ? ' To send a file, first create an upload with POST /v1/uploads.' : ''
    return done(new AppError('unsupported_media_type', `The body must be JSON with Content-Type: application/json.${hint}`))
  })
}

function refusalOf({ headers }: FastifyRequest, body: Buffer): AppError | undefined {
  const charset = /;\s*charset\s*=\s*"?([^\s";]*)/i.exec(headers['content-type'] ?? '')?.[1]
  if (charset !== undefined && !/^utf-?8$/i.test(charset))
    return new AppError('unsupported_media_type', `The body must be JSON in UTF-8, not ${charset}.`)
  const encoding = headers['content-encoding'] ?? 'identity'
  if (!/^identity$/i.test(encoding.trim()))
    return new AppError('unsupported_media_type', `Content-Encoding ${encoding} is not supported. Send the body without it.`)
  if (!isUtf8(body)) return new AppError('bad_request', 'The body is not valid UTF-8.')
  if (nestsDeeperThan(maxDepth, body)) return new AppError('bad_request', `The body is nested more than ${maxDepth} levels deep.`)
  return undefined
}

/**
 * Returns whether arrays and objects of the JSON text are nested deeper. Linear and without recursion. Leaves malformed text to
 * the parser.
 */
function nestsDeeperThan(limit: number, json: Buffer): boolean {
  let depth = 0
  for (let at = 0; at < json.length; at += 1) {
    const byte = json[at]
    if (byte === quote) at = endOfString(json, at)
    else if (byte === openBrace || byte === openBracket) {
      depth += 1
      if (depth > limit) return true
    } else if (byte === closeBrace || byte === closeBracket) depth -= 1
  }
  return false
}

/** Returns the index of the closing quote of the string that starts at `start`. */
function endOfString(json: Buffer, start: number): number {
  let end = json.indexOf(quote, start + 1)
  while (end !== -1 && isEscaped(json, end)) end = json.indexOf(quote, end + 1)
  return end === -1 ? json.length : end
}

function isEscaped(json: Buffer, at: number): boolean {
  let backslashes = 0
  while (json[at - 1 - backslashes] === backslash) backslashes += 1
  return backslashes % 2 === 1
}
