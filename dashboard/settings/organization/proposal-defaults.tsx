import { Button, Group, NumberInput, Stack, Text, Textarea } from '@mantine/core'
import { useMessages } from '../../messages/messages.ts'
import type { DraftFile } from '../../proposals/sections/draft-section.ts'
import { FileField } from '../../proposals/sections/file-field.tsx'
import { organizationMessages } from './messages.ts'
import type { ProposalDefaults } from './organization-values.ts'

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
