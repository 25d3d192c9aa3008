import { z } from 'zod'
import { route } from './route.ts'
import { createdAt, idInput, idOutput, queryInteger, text, Timestamp, wholeNumber } from './schemas.ts'

/** Maximum size of an upload in bytes: 200 MB. */
export const maxUploadBytes = 200_000_000

const mediaType = /^[\w.+-]+\/[\w.+-]+(?:\s*;\s*[\w-]+=(?:"[^"]*"|[\w.+-]+))*$/

const CreateUpload = z
  .strictObject({
    fileName: text(1, 255).meta({
      description: 'Name of the file with its extension, which helps to detect its format. At most 255 characters.',
    }),
    contentType: text(1, 200)
      .refine((value) => mediaType.test(value), 'must be a media type such as application/pdf')
      .meta({ pattern: mediaType.source, examples: ['application/pdf'] })
      .default('application/octet-stream')
      .meta({ description: 'Media type of the file. The format is detected from the content as well.' }),
    sizeBytes: wholeNumber(0, maxUploadBytes).meta({ description: 'Exact size of the file in bytes, at most 200 MB.' }),
    parts: z.boolean().default(false).meta({
      description: 'Whether to send the file in parts, each with a request of its own, so that an interrupted upload can be resumed.',
    }),
  })
  .meta({
    id: 'CreateUpload',
    description: 'The file to upload.',
    examples: [{ fileName: 'handbook.pdf', contentType: 'application/pdf', sizeBytes: 482133 }],
  })
export type CreateUpload = z.output<typeof CreateUpload>

/** Size of each part but the last, in bytes: 8 MiB. */
export const uploadPartBytes = 8 * 2 ** 20
const maxParts = Math.ceil(maxUploadBytes / uploadPartBytes)

export const UploadPart = z
  .object({
    number: z.number().int().describe('Number of the part, from 1.'),
    firstByte: z.number().int().describe('Position of its first byte in the file, from 0.'),
    sizeBytes: z.number().int().describe('Number of its bytes.'),
    url: z.string().describe('URL for sending its bytes with `PUT`. It needs no token: keep it secret.'),
  })
  .meta({ id: 'UploadPart', description: 'A part of a file that has not been received.' })

export const UploadParts = z
  .object({
    parts: z
      .array(UploadPart)
      .describe('Parts that have not been received, in their order. Send them in any order, then complete the upload.'),
    expiresAt: Timestamp.describe('Time at which the URLs expire: UTC with milliseconds.'),
  })
  .meta({ id: 'UploadParts', description: 'The parts of an upload that have not been received.' })
export type UploadParts = z.input<typeof UploadParts>

export const Upload = z
  .object({
    id: idOutput('upl'),
    uploadUrl: z.string().describe('URL for sending the bytes, with `method` and `headers`. It needs no token: keep it secret.'),
    method: z.literal('PUT').describe('HTTP method of the request with the bytes.'),
    headers: z.record(z.string(), z.string()).describe('Headers that the request with the bytes must have.'),
    parts: z
      .array(UploadPart)
      .nullable()
      .describe('The parts of the file, to be sent instead of all bytes to `uploadUrl`; null unless the request asked for parts.'),
    storageUrl: z
      .string()
      .describe(
        'Reference to the file, for adding a source by `expiresAt` once the bytes were received. The file is kept as long as a source uses it.',
      ),
    expiresAt: Timestamp.describe('Time at which `uploadUrl`, and an upload without a source, expire: UTC with milliseconds.'),
  })
  .meta({ id: 'Upload', description: 'A new upload with the request that sends its bytes.' })
export type Upload = z.input<typeof Upload>

export const UploadStatus = z
  .object({
    id: idOutput('upl'),
    fileName: z.string().describe('Name of the file.'),
    contentType: z.string().meta({ description: 'Media type given at the creation.', examples: ['application/pdf'] }),
    sizeBytes: z.number().int().describe('Size of the file in bytes.'),
    storageUrl: z.string().describe('Reference to the file, for adding a source.'),
    receivedParts: z
      .array(z.number().int())
      .nullable()
      .describe('Numbers of the parts that were received; null without parts, and once the upload is complete.'),
    receivedAt: Timestamp.nullable().describe('Time at which the bytes were last received; null before.'),
    expiresAt: Timestamp.describe('Time at which the upload expires unless a source uses it: UTC with milliseconds.'),
    createdAt,
  })
  .meta({ id: 'UploadStatus', description: 'The state of an upload.' })
export type UploadStatus = z.input<typeof UploadStatus>

export const uploads = {
  create: route({
    method: 'POST',
    path: '/v1/uploads',
    summary: 'Create an upload',
    description:
      'Send the bytes to `uploadUrl` next, then give the `storageUrl` to a new source, to an image or attached PDF of a proposal, or to an import of contacts. Tokens need `sources:write`, `proposals:write` or `contacts:write`. 403 `quota_exceeded` if `sizeBytes` exceeds the rest of the storage quota.',
    scope: 'sources:write',
    otherScopes: ['proposals:write', 'contacts:write'],
    body: CreateUpload,
    status: 201,
    reply: Upload,
    errors: ['quota_exceeded'],
  }),
  get: route({
    method: 'GET',
    path: '/v1/uploads/{uploadId}',
    summary: 'Get the state of an upload',
    description: 'Does not repeat `uploadUrl`. 404 for an expired upload without a source.',
    scope: 'sources:read',
    params: z.object({ uploadId: idInput('upl') }),
    status: 200,
    reply: UploadStatus,
  }),
  resume: route({
    method: 'POST',
    path: '/v1/uploads/{uploadId}/resume',
    summary: 'Resume an upload in parts',
    description:
      'Returns the parts that have not been received, with new URLs. 404 for an expired upload; 409 for an upload without parts, and for a complete one.',
    scope: 'sources:write',
    otherScopes: ['proposals:write', 'contacts:write'],
    params: z.object({ uploadId: idInput('upl') }),
    status: 200,
    reply: UploadParts,
    errors: ['conflict'],
  }),
  complete: route({
    method: 'POST',
    path: '/v1/uploads/{uploadId}/complete',
    summary: 'Complete an upload in parts',
    description: 'Joins the parts to a file. May be repeated. 404 for an expired upload, 409 if parts are missing.',
    scope: 'sources:write',
    otherScopes: ['proposals:write', 'contacts:write'],
    params: z.object({ uploadId: idInput('upl') }),
    status: 200,
    reply: UploadStatus,
    errors: ['conflict'],
  }),
  putPart: route({
    method: 'PUT',
    path: '/v1/uploads/{uploadId}/parts/{number}',
    summary: 'Send a part of an upload',
    description:
      'The `url` of the part is the credential: the request needs no token. 404 after it expired, 409 once the upload is complete.',
    scope: 'public',
    params: z.object({
      uploadId: z.string().max(400).meta({ description: 'Signed ticket in the URL. It is not the id of the upload.' }),
      number: queryInteger(1, maxParts).meta({ description: 'Number of the part, from 1.' }),
    }),
    bytes: true,
    status: 204,
    errors: ['not_found', 'conflict', 'payload_too_large', 'bad_request'],
  }),
  put: route({
    method: 'PUT',
    path: '/v1/uploads/{uploadId}',
    summary: 'Send the bytes of an upload',
    description: '`uploadUrl` is the credential: the request needs no token. 404 after `expiresAt`, 409 if a source uses the file already.',
    scope: 'public',
    params: z.object({
      uploadId: z.string().max(400).meta({ description: 'Signed ticket at the end of `uploadUrl`. It is not the id of the upload.' }),
    }),
    bytes: true,
    status: 204,
    errors: ['not_found', 'conflict', 'payload_too_large', 'bad_request'],
  }),
}
