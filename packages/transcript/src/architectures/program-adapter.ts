import { readTranscripts } from '../read-transcripts.ts';
import type { AgentArchitectureAdapter, TranscriptFiles } from './agent-architecture-adapter.ts';
import type { AgentProgram, AgentSetting, SetupFile } from './agent-program.ts';

/** Creates the adapter for an agent program in a home. */
export function createProgramAdapter(
  program: AgentProgram,
  setting: AgentSetting,
): AgentArchitectureAdapter {
  const paths = program.paths(setting.home);
  const runner = program.createRunner(setting, paths);
  return {
    type: program.type,
    source: program.source,
    getPaths: () => paths,
    setupAgentProfile: ({ agentProfile, writeFile }) =>
      writeAll(program.profileFiles(agentProfile, paths), writeFile),
    setupSessionTranscripts: ({ sessionId, transcripts, writeFile }) =>
      writeAll(program.transcriptFiles(sessionId, transcripts, paths), writeFile),
    async findTranscripts(sessionId): Promise<TranscriptFiles> {
      const main = await program.findMainTranscript(sessionId, paths);
      if (main === undefined) return { main, subagents: [] };
      return { main, subagents: await program.source.layout.findSubagentFiles(main) };
    },
    executeQuery: (query) => runner.run(query),
    parseTranscripts: (raw) => readTranscripts(program.source.parser, raw),
    close: () => runner.close(),
  };
}

async function writeAll(
  files: readonly SetupFile[],
  writeFile: (path: string, content: string) => Promise<void>,
): Promise<void> {
  for (const { path, content } of files) await writeFile(path, content);
}
