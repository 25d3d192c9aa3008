/**
 * Saves the file of a response like a download.
 * @param name its name if the response has none
 * @param onProgress called with the number of bytes that have arrived
 */
export async function saveFile(response: Response, name: string, onProgress?: (receivedBytes: number) => void): Promise<void> {
  const href = URL.createObjectURL(await (onProgress === undefined ? response : counted(response, onProgress)).blob())
  Object.assign(document.createElement('a'), { href, download: fileNameOf(response) ?? name }).click()
  URL.revokeObjectURL(href)
}

function counted(response: Response, onProgress: (receivedBytes: number) => void): Response {
  let received = 0
  const counter = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform(chunk, controller) {
      received += chunk.byteLength
      onProgress(received)
      controller.enqueue(chunk)
    },
  })
  return new Response(response.body?.pipeThrough(counter) ?? null, { headers: response.headers })
}

function fileNameOf(response: Response): string | undefined {
  const encoded = /filename\*=UTF-8''([^;]+)/.exec(response.headers.get('content-disposition') ?? '')?.[1]
  return encoded === undefined ? undefined : decodeURIComponent(encoded)
}
