/** The end of a game as a picture to share: the board, and beneath it the game, the players and the result. */

import { pictureAddress } from '../../app/http';
import { fileName } from '../../app/share';

export interface Poster {
  table: string;
  title: string;
  players: string;
  result: string;
}

const SIDE = 1200;
const MARGIN = 40;
const BOARD = 930;
const FONT = 'system-ui, sans-serif';
/** Light, whatever the screen is: it is looked at elsewhere. */
const PAPER = '#ffffff';
const INK = '#17233a';

/** A PNG; an Error where the picture can't be had. */
export async function drawPoster({ table, title, players, result }: Poster): Promise<File> {
  const board = await load(pictureAddress(table, true));
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = SIDE;
  const pen = canvas.getContext('2d');
  if (!pen) throw new Error(FAILED);
  pen.fillStyle = PAPER;
  pen.fillRect(0, 0, SIDE, SIDE);
  const scale = Math.min((SIDE - 2 * MARGIN) / board.naturalWidth, BOARD / board.naturalHeight);
  const [width, height] = [board.naturalWidth * scale, board.naturalHeight * scale];
  pen.drawImage(board, (SIDE - width) / 2, MARGIN, width, height);
  pen.fillStyle = INK;
  pen.textAlign = 'center';
  const below = (SIDE + MARGIN + BOARD) / 2;
  write(pen, title, below - 45, 36);
  write(pen, result, below + 15, 52, 700);
  write(pen, players, below + 70, 34);
  const content = await new Promise<Blob | null>((done) => canvas.toBlob(done, 'image/png'));
  if (!content) throw new Error(FAILED);
  return new File([content], fileName(title, 'png'), { type: 'image/png' });
}

const FAILED = 'The picture can’t be made now.';

/** One line, smaller where it would be too wide. */
function write(pen: CanvasRenderingContext2D, words: string, y: number, size: number, weight = 400): void {
  pen.font = `${weight} ${size}px ${FONT}`;
  const fits = Math.min(1, (SIDE - 2 * MARGIN) / Math.max(1, pen.measureText(words).width));
  pen.font = `${weight} ${size * fits}px ${FONT}`;
  pen.fillText(words, SIDE / 2, y);
}

async function load(address: string): Promise<HTMLImageElement> {
  const image = new Image();
  image.src = address;
  try {
    await image.decode();
  } catch {
    throw new Error(FAILED);
  }
  return image;
}
