/** The end of a game as a picture to share: the board, and below it the game, the players, the result and the site. */

import { pictureAddress } from '../../app/http';
import { fileName } from '../../app/share';

export interface Poster {
  table: string;
  title: string;
  players: string;
  result: string;
  /** The name and the address of the site. */
  site: string;
}

const SIDE = 1200;
const MARGIN = 40;
const BOARD = 930;
/** Light even on a dark screen: the picture is viewed elsewhere. */
const PAPER = '#ffffff';
const INK = '#17233a';

/** Draws a PNG; throws an Error if the board can't be loaded. */
export async function drawPoster({ table, title, players, result, site }: Poster): Promise<File> {
  const board = await load(pictureAddress(table, true));
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = SIDE;
  const pen = canvas.getContext('2d');
  if (!pen) throw new Error(DRAWING_ERROR);
  pen.fillStyle = PAPER;
  pen.fillRect(0, 0, SIDE, SIDE);
  const scale = Math.min((SIDE - 2 * MARGIN) / board.naturalWidth, BOARD / board.naturalHeight);
  const [width, height] = [board.naturalWidth * scale, board.naturalHeight * scale];
  pen.drawImage(board, (SIDE - width) / 2, MARGIN, width, height);
  pen.fillStyle = INK;
  pen.textAlign = 'center';
  const below = (SIDE + MARGIN + BOARD) / 2;
  write(pen, title, below - 58, 36);
  write(pen, result, below + 1, 52, 700);
  write(pen, players, below + 52, 34);
  write(pen, site, below + 88, 24);
  const content = await new Promise<Blob | null>((done) => canvas.toBlob(done, 'image/png'));
  if (!content) throw new Error(DRAWING_ERROR);
  return new File([content], fileName(title, 'png'), { type: 'image/png' });
}

const DRAWING_ERROR = 'The picture can’t be created now.';

/** Writes one line, smaller if it would be too wide. */
function write(pen: CanvasRenderingContext2D, words: string, y: number, size: number, weight = 400): void {
  const letters = getComputedStyle(document.body).fontFamily;
  pen.font = `${weight} ${size}px ${letters}`;
  const fits = Math.min(1, (SIDE - 2 * MARGIN) / Math.max(1, pen.measureText(words).width));
  pen.font = `${weight} ${size * fits}px ${letters}`;
  pen.fillText(words, SIDE / 2, y);
}

async function load(address: string): Promise<HTMLImageElement> {
  const image = new Image();
  image.src = address;
  try {
    await image.decode();
  } catch {
    throw new Error(DRAWING_ERROR);
  }
  return image;
}
