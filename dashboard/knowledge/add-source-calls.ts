interface Upload {
  origin: string
  baseId: string
  name: string
  storageUrl: string
}

/** How a program adds what was uploaded. */
export function addSourceCalls({ origin, baseId, name, storageUrl }: Upload): { curl: string; typescript: string } {
  const body = JSON.stringify({ name, type: 'file', storageUrl })
  return {
    // Within single quotes of a shell, a quote is written by leaving them for a moment.
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
