import { ImagePlus, X } from 'lucide-react';
import { byPosition } from '../by-position.ts';
import type { Attachment } from './attachments.ts';

interface PromptPicturesProps {
  readonly pictures: readonly Attachment[];
  readonly onChange: (pictures: readonly Attachment[]) => void;
}

/** Images attached to the prompt. */
export function PromptPictures({ pictures, onChange }: PromptPicturesProps) {
  if (pictures.length === 0) return null;
  return (
    <ul className="prompt-pictures">
      {byPosition(pictures, (picture, position, index) => (
        <li key={position}>
          <img src={`data:${picture.mediaType};base64,${picture.data}`} alt={picture.name} />
          <button
            type="button"
            className="icon-button"
            aria-label={`Remove ${picture.name}`}
            onClick={() => onChange(pictures.filter((_, at) => at !== index))}
          >
            <X aria-hidden="true" />
          </button>
        </li>
      ))}
    </ul>
  );
}

export function AttachButton({ onFiles }: { readonly onFiles: (files: readonly File[]) => void }) {
  return (
    <label className="icon-button" title="Attach pictures">
      <ImagePlus aria-hidden="true" />
      <input
        className="visually-hidden"
        type="file"
        multiple
        aria-label="Attach pictures"
        accept="image/png,image/jpeg,image/gif,image/webp"
        onChange={(event) => {
          onFiles([...(event.target.files ?? [])]);
          event.target.value = '';
        }}
      />
    </label>
  );
}
