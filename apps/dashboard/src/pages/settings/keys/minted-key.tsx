import { Button } from '../../../components/button.tsx';
import { CodeBlock, SecretOnce } from '../../../components/copy.tsx';

export function MintedKey({ secret, name, onClose }: { secret: string; name: string; onClose: () => void }) {
  return (
    <div className="flex flex-col gap-4">
      <SecretOnce secret={secret} label={`API key ${name}`} />
      <CodeBlock label="Send with every request" text={`Authorization: Bearer ${secret}`} />
      <CodeBlock
        label="Try it"
        text={`curl ${location.origin}/api/v1/me \\\n  -H "Authorization: Bearer $FINHOOK_API_KEY"`}
      />
      <div className="flex justify-end">
        <Button variant="primary" onClick={onClose}>
          I’ve stored it
        </Button>
      </div>
    </div>
  );
}
