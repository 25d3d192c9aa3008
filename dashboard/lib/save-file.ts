/** Saves the file of a response like a download. @param name its name if the response has none */
export async function saveFile(response: Response, name: string): Promise<void> {
  const href = URL.createObjectURL(await response.blob())
  Object.assign(document.createElement('a'), { href, download: fileNameOf(response) ?? name }).click()
  URL.revokeObjectURL(href)
}

function fileNameOf(response: Response): string | undefined {
  const encoded = /filename\*=UTF-8''([^;]+)/.exec(response.headers.get('content-disposition') ?? '')?.[1]
  return encoded === undefined ? undefined : decodeURIComponent(encoded)
}
