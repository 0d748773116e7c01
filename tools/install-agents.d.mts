/** Where other agent programs are installed; ROBOTA_AGENTS_CACHE moves it. */
export declare const AGENTS_CACHE: string;
/** The `node_modules` of a program such as `opencode-ai@1.18.33`. */
export declare function agentFolder(program: string): string;
/** Installs what is missing; throws when npm cannot. */
export declare function installAgents(programs: readonly string[]): void;
