import { Code, Stack, Text, TextInput } from '@mantine/core'
import { create } from 'qrcode'
import { useMemo, useState } from 'react'
import { useMessages } from '../messages/messages.ts'
import { askAuth } from './ask.ts'
import { AuthForm } from './auth-form.tsx'
import { useAttempt } from './use-attempt.ts'
import { accountMessages } from './account-messages.ts'

/** Shows the two-factor secret as a QR code, and asks for a code from the app to confirm it. */
export function ScanStep({ uri, onConfirmed }: { uri: string; onConfirmed: () => void }) {
  const messages = useMessages(accountMessages)
  const [code, setCode] = useState('')
  const attempt = useAttempt(async () => {
    await askAuth('/two-factor/verify-totp', { code: code.trim() })
    onConfirmed()
  })
  return (
    <Stack>
      <Text>{messages.twoFactor.scan}</Text>
      <QrCode text={uri} label={messages.twoFactor.qr} />
      <Text size="sm">
        {messages.twoFactor.key}: <Code className="wrap">{new URL(uri).searchParams.get('secret')}</Code>
      </Text>
      <AuthForm onSubmit={() => void attempt.run()} attempt={attempt} fields={['code']} action={messages.twoFactor.confirm} inline>
        <TextInput
          label={messages.code.code}
          value={code}
          onChange={(event) => setCode(event.currentTarget.value)}
          error={attempt.errorOf('code')}
          autoComplete="one-time-code"
          inputMode="numeric"
          required
        />
      </AuthForm>
    </Stack>
  )
}

/** The width of the quiet zone that QR readers need around the code, in modules. */
const quietZone = 4

/** Dark on light in both color schemes, because few readers support inverted codes. */
function QrCode({ text, label }: { text: string; label: string }) {
  const { size, path } = useMemo(() => qrPath(text), [text])
  const fullSize = size + 2 * quietZone
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`${-quietZone} ${-quietZone} ${fullSize} ${fullSize}`}
      width={220}
      height={220}
      shapeRendering="crispEdges"
    >
      <rect x={-quietZone} y={-quietZone} width={fullSize} height={fullSize} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  )
}

function qrPath(text: string): { size: number; path: string } {
  const { modules } = create(text)
  const cells = Array.from({ length: modules.size ** 2 }, (_, at) => [at % modules.size, Math.floor(at / modules.size)] as const)
  const dark = cells.filter(([x, y]) => modules.get(y, x) === 1)
  return { size: modules.size, path: dark.map(([x, y]) => `M${x} ${y}h1v1h-1z`).join('') }
}
