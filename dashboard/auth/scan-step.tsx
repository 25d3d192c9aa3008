import { Code, Stack, Text, TextInput } from '@mantine/core'
import { create } from 'qrcode'
import { useMemo, useState } from 'react'
import { useWords } from '../words/words.ts'
import { askAuth } from './ask.ts'
import { AuthForm } from './auth-form.tsx'
import { useAttempt } from './use-attempt.ts'
import { authWords } from './words.ts'

/** Shows the secret of a second factor to an authenticator app, and wants a code of it before it counts. */
export function ScanStep({ uri, onConfirmed }: { uri: string; onConfirmed: () => void }) {
  const words = useWords(authWords)
  const [code, setCode] = useState('')
  const attempt = useAttempt(async () => {
    await askAuth('/two-factor/verify-totp', { code: code.trim() })
    onConfirmed()
  })
  return (
    <Stack>
      <Text>{words.twoFactor.scan}</Text>
      <QrCode text={uri} label={words.twoFactor.qr} />
      <Text size="sm">
        {words.twoFactor.key}: <Code className="wrap">{new URL(uri).searchParams.get('secret')}</Code>
      </Text>
      <AuthForm onSubmit={() => void attempt.run()} pending={attempt.pending} error={attempt.error} action={words.twoFactor.confirm} inline>
        <TextInput
          label={words.code.code}
          value={code}
          onChange={(event) => setCode(event.currentTarget.value)}
          autoComplete="one-time-code"
          inputMode="numeric"
          required
        />
      </AuthForm>
    </Stack>
  )
}

/** Light modules around the code, which readers need. */
const quiet = 4

/** Dark on light in both colour schemes: few readers take it the other way round. */
function QrCode({ text, label }: { text: string; label: string }) {
  const { size, path } = useMemo(() => drawn(text), [text])
  const whole = size + 2 * quiet
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`${-quiet} ${-quiet} ${whole} ${whole}`}
      width={220}
      height={220}
      shapeRendering="crispEdges"
    >
      <rect x={-quiet} y={-quiet} width={whole} height={whole} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  )
}

function drawn(text: string): { size: number; path: string } {
  const { modules } = create(text)
  const cells = Array.from({ length: modules.size ** 2 }, (_, at) => [at % modules.size, Math.floor(at / modules.size)] as const)
  const dark = cells.filter(([x, y]) => modules.get(y, x) === 1)
  return { size: modules.size, path: dark.map(([x, y]) => `M${x} ${y}h1v1h-1z`).join('') }
}
