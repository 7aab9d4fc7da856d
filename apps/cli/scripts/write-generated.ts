import { writeFileSync } from 'node:fs';
import { generatedFiles } from './generated.ts';

const root = new URL('../../../', import.meta.url);
for (const [path, text] of Object.entries(generatedFiles())) writeFileSync(new URL(path, root), text);
