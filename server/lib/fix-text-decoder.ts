/**
 * Makes `decode` of Windows-1252 read the bytes 80 to 9F, such as € and ’, for libraries that call it without `stream`. In Node 20.18.3 to
 * 24, it takes them for control characters (https://github.com/nodejs/node/issues/56542). Our own code calls `decodeBytes`.
 */
export function fixTextDecoder(): void {
  if (new TextDecoder('windows-1252').decode(Uint8Array.of(0x80)) === '€') return
  const { decode } = TextDecoder.prototype // oxlint-disable-line typescript/unbound-method -- called with its object below
  TextDecoder.prototype.decode = function (input, options) {
    if (this.encoding !== 'windows-1252' || options?.stream === true) return decode.call(this, input, options)
    return decode.call(this, input, { stream: true }) + decode.call(this)
  }
}
