package dev.fakegpu.evidence;

import java.util.List;

/** A cell in the KEP's table of version skew, as {@code hack/skew-lab --cells} writes it. */
record SkewCell(String server, String scheduler, String stored, String mig, String vgpu, String found, String says) {

    private static final int COLUMNS = 9;

    /** The cells in which kube-scheduler allocates. */
    static List<SkewCell> ofKubeScheduler(List<String> lines) {
        return lines.stream()
                .map(SkewCell::parse)
                .filter(cell -> !cell.scheduler().startsWith("companion"))
                .toList();
    }

    private static SkewCell parse(String line) {
        String[] columns = line.split("\\|", -1);
        if (columns.length != COLUMNS) {
            throw new IllegalArgumentException("not a cell of hack/skew-lab: " + line);
        }
        return new SkewCell(columns[0], columns[1], columns[2], columns[3], columns[4], columns[5], columns[6]);
    }

    boolean needsOldVersion() {
        return (server + scheduler).contains("before 1.37");
    }

    String verdict() {
        if (found.equals("not run")) {
            return "-";
        }
        return found.equals(says) ? "as the KEP says" : "**differs**";
    }
}
