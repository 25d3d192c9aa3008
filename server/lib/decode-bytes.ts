/**
 * Decodes bytes in an encoding of the Encoding standard. In Node 20.18.3 to 24, `decode` without `stream` takes the bytes 80 to 9F of
 * Windows-1252, such as € and ’, for control characters (https://github.com/nodejs/node/issues/56542).
 * @throws RangeError for an unknown encoding; TypeError for invalid bytes if `fatal`
 */
export function decodeBytes(bytes: Uint8Array, encoding: string, options?: { fatal: boolean }): string {
  const decoder = new TextDecoder(encoding, options)
  return decoder.decode(bytes, { stream: true }) + decoder.decode()
}
