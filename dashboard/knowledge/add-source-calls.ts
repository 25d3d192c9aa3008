interface Upload {
  origin: string
  baseId: string
  name: string
  storageUrl: string
}

/** Returns API calls that add an uploaded file as a source. */
export function addSourceCalls({ origin, baseId, name, storageUrl }: Upload): { curl: string; typescript: string } {
  const body = JSON.stringify({ name, type: 'file', storageUrl })
  return {
    // A single-quoted shell string cannot contain a quote: close it, add an escaped quote, open it again.
    curl: `curl ${origin}/v1/bases/${baseId}/sources \\
  -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' \\
  -d '${body.replaceAll("'", String.raw`'\''`)}'`,
    typescript: `const source = await client.bases.sources.create(${JSON.stringify(baseId)}, {
  name: ${JSON.stringify(name)},
  type: 'file',
  storageUrl: ${JSON.stringify(storageUrl)},
})`,
  }
}
