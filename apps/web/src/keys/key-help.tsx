import { Overlay } from '../overlay.tsx';
import { KEY_TABLE } from './page-keys.ts';

export function KeyHelp({ onClose }: { readonly onClose: () => void }) {
  return (
    <Overlay label="Keys" onClose={onClose}>
      <div className="key-help">
        <h2>Keys</h2>
        <dl>
          {KEY_TABLE.map(({ keys, does }) => (
            <div key={keys}>
              <dt>
                <kbd>{keys}</kbd>
              </dt>
              <dd>{does}</dd>
            </div>
          ))}
        </dl>
      </div>
    </Overlay>
  );
}
