import type { Organization } from '@groundwork/api'
import { Button, Group, NumberInput, Stack, Text, Textarea } from '@mantine/core'
import { messagesOf, useMessages } from '../../messages/messages.ts'
import type { DraftFile } from '../../proposals/sections/draft-section.ts'
import { FileField } from '../../proposals/sections/file-field.tsx'
import { organizationMessages } from './messages.ts'

/** Values of the fields about new proposals. */
export interface ProposalDefaults {
  defaultTerms: string
  /** Empty without an expiry. */
  expiryDays: number | string
  logo: DraftFile | null
}

export const defaultsOf = ({ defaultTerms, expiryDays, logo }: Organization): ProposalDefaults => ({
  defaultTerms: defaultTerms ?? '',
  expiryDays: expiryDays ?? '',
  logo: logo && { label: messagesOf(organizationMessages).logoSize(logo.width, logo.height), reference: { sha256: logo.sha256 } },
})

/** Returns the fields of a request. A logo that was not replaced is left out. */
export const defaultsBody = ({ defaultTerms, expiryDays, logo }: ProposalDefaults) => ({
  defaultTerms: defaultTerms.trim() === '' ? null : defaultTerms,
  expiryDays: typeof expiryDays === 'number' ? expiryDays : null,
  ...(logo === null ? { logo } : 'storageUrl' in logo.reference && { logo: { storageUrl: logo.reference.storageUrl } }),
})

interface DefaultFieldsProps {
  values: ProposalDefaults
  setTerms: (terms: string) => void
  setDays: (days: number | string) => void
  setLogo: (logo: DraftFile | null) => void
  errorOf: (path: string) => string | undefined
  readOnly: boolean
}

export function DefaultFields({ values, setTerms, setDays, setLogo, errorOf, readOnly }: DefaultFieldsProps) {
  const words = useMessages(organizationMessages)
  const { logo, defaultTerms, expiryDays } = values
  return (
    <>
      <Stack gap={4}>
        <Text size="sm" fw={500}>
          {words.logo}
        </Text>
        <Text size="xs" c="dimmed">
          {words.logoHelp}
        </Text>
        {readOnly ? (
          <Text size="sm">{logo?.label}</Text>
        ) : (
          <Group>
            <FileField
              label={words.chooseLogo}
              accept="image/png,image/jpeg"
              file={logo}
              onChange={setLogo}
              error={errorOf('logo.storageUrl')}
            />
            {logo !== null && (
              <Button variant="default" onClick={() => setLogo(null)}>
                {words.removeLogo}
              </Button>
            )}
          </Group>
        )}
      </Stack>
      <Textarea
        label={words.defaultTerms}
        description={words.defaultTermsHelp}
        maxLength={20_000}
        autosize
        minRows={3}
        maxRows={14}
        readOnly={readOnly}
        value={defaultTerms}
        onChange={({ currentTarget }) => setTerms(currentTarget.value)}
        error={errorOf('defaultTerms')}
      />
      <NumberInput
        label={words.expiryDays}
        description={words.expiryDaysHelp}
        min={1}
        max={365}
        allowDecimal={false}
        readOnly={readOnly}
        value={expiryDays}
        onChange={setDays}
        error={errorOf('expiryDays')}
      />
    </>
  )
}
