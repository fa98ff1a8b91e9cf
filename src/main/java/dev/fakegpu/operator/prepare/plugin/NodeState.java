package dev.fakegpu.operator.prepare.plugin;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.fakegpu.operator.prepare.DeviceSetup;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jboss.logging.Logger;

/**
 * The files that a plugin keeps on the node: the checkpoint, which is authoritative, and the files for containers. Files for containers are
 * written before the checkpoint records them, and deleted before the record is, so a crash leaves at most unreferenced files or a claim
 * that is prepared again.
 */
final class NodeState implements AutoCloseable {

    private static final Logger LOG = Logger.getLogger(NodeState.class);

    private static final String CHECKPOINT = "checkpoint";
    private static final String CORRUPT = "checkpoint.corrupt";
    private static final String LOCK = "serialize.lock";
    private static final String TOOL = "nvidia-smi";
    private static final String INFO_FILES = "claims";

    private final PluginPaths paths;
    private final NodeLock lock;
    private Checkpoint checkpoint;

    private NodeState(PluginPaths paths, NodeLock lock) {
        this.paths = paths;
        this.lock = lock;
        this.checkpoint = Checkpoint.EMPTY;
    }

    /** Locks the node until this object is closed, and reads the state, which another plugin may have changed. */
    static NodeState open(PluginPaths paths) throws IOException {
        var state = new NodeState(paths, NodeLock.acquire(paths.data().resolve(LOCK), NodeLock.PATIENCE));
        try {
            state.checkpoint = state.load();
            return state;
        } catch (IOException | RuntimeException e) {
            state.close();
            throw e;
        }
    }

    /** Whether a plugin of this project has ever kept state here; the files of other drivers have other names. */
    static boolean isAt(PluginPaths paths) {
        return Files.isRegularFile(paths.data().resolve(CHECKPOINT))
                && Files.isRegularFile(paths.data().resolve(TOOL));
    }

    Checkpoint checkpoint() {
        return checkpoint;
    }

    @Override
    public void close() throws IOException {
        lock.close();
    }

    /** Installs the tool, and deletes what a crash left behind; called once at startup. */
    void tidy() throws IOException {
        LOG.infof(
                "%d claims of driver %s are prepared on this node",
                checkpoint.claims().size(), paths.driver());
        Path tool = paths.data().resolve(TOOL);
        try (InputStream script = NodeState.class.getResourceAsStream(TOOL)) {
            byte[] content =
                    Objects.requireNonNull(script, "the jar lacks " + TOOL).readAllBytes();
            if (!Files.exists(tool) || !Arrays.equals(Files.readAllBytes(tool), content)) {
                DurableFiles.write(tool, content, DurableFiles.EXECUTABLE);
            }
            Files.setPosixFilePermissions(tool, PosixFilePermissions.fromString(DurableFiles.EXECUTABLE));
        }
        for (Path file : filesNamed("." + CdiSpec.filePrefix(paths.driver()), DurableFiles.UNFINISHED)) {
            Files.delete(file);
        }
        var known = new TreeSet<String>();
        cdiFiles().stream().map(this::uidOf).forEach(known::add);
        known.addAll(infoDirectories());
        for (String uid : known) {
            if (ClaimUid.isValid(uid) && checkpoint.find(uid).isEmpty()) {
                LOG.infof("the files of claim %s are deleted, because it is not prepared", uid);
                deleteFiles(uid);
            }
        }
    }

    /** The names of the directories with files for containers; a crash may leave one without a CDI file. */
    private List<String> infoDirectories() throws IOException {
        Path all = paths.data().resolve(INFO_FILES);
        if (!Files.isDirectory(all)) {
            return List.of();
        }
        try (var directories = Files.list(all)) {
            return directories
                    .map(directory -> directory.getFileName().toString())
                    .toList();
        }
    }

    /** Whether all files of the claim exist; files in /var/run do not survive a reboot. */
    boolean isComplete(PreparedClaim claim) {
        Path infoFiles = infoFiles(claim.claim().uid());
        return Files.exists(cdiFile(claim.claim().uid()))
                && claim.results().stream()
                        .map(PreparedResult::label)
                        .allMatch(label -> Files.exists(infoFiles.resolve(label))
                                && Files.exists(infoFiles.resolve(CdiSpec.answersFile(label))))
                && claim.results().stream()
                        .flatMap(result -> result.requests().stream())
                        .allMatch(request -> Files.exists(infoFiles.resolve(ClaimMetadata.fileName(request))));
    }

    /**
     * Writes the files of a claim. If one cannot be written, all of them are deleted, because they would take up space on a full disk.
     *
     * @param node the name of the node
     * @param setups the setup of each of the claim's devices
     * @param readings what NVML tells about a device
     * @param metadata has the names of requests
     */
    void add(
            PreparedClaim claim,
            String node,
            Function<PreparedResult, DeviceSetup> setups,
            Function<DeviceSetup, Map<String, String>> readings,
            ClaimMetadata metadata)
            throws IOException {
        String uid = claim.claim().uid();
        try {
            writeFiles(claim, node, setups, readings, metadata);
            store(checkpoint.with(claim));
        } catch (IOException e) {
            deleteFilesAfter(e, uid);
            throw e;
        }
    }

    private void deleteFilesAfter(IOException failure, String uid) {
        try {
            deleteFiles(uid);
        } catch (IOException e) {
            failure.addSuppressed(e);
        }
    }

    private void writeFiles(
            PreparedClaim claim,
            String node,
            Function<PreparedResult, DeviceSetup> setups,
            Function<DeviceSetup, Map<String, String>> readings,
            ClaimMetadata metadata)
            throws IOException {
        String uid = claim.claim().uid();
        Path infoFiles = DurableFiles.createDirectories(infoFiles(uid));
        Map<String, DeviceSetup> byLabel = new HashMap<>();
        for (PreparedResult result : claim.results()) {
            DeviceSetup setup = setups.apply(result);
            var infoFile = new DeviceInfoFile(claim.claim(), result, setup.device(), readings.apply(setup));
            byLabel.put(result.label(), setup);
            write(infoFiles.resolve(result.label()), infoFile.text());
            write(infoFiles.resolve(CdiSpec.answersFile(result.label())), infoFile.answers());
        }
        for (var file : metadata.texts(claim.results(), setups).entrySet()) {
            write(infoFiles.resolve(ClaimMetadata.fileName(file.getKey())), file.getValue());
        }
        var edits = ContainerEdits.of(paths.driver(), node, claim, byLabel);
        if (edits.hasMps()) {
            // Read-only for containers, which could otherwise fill the node's disk.
            Path pipes = Files.createDirectories(infoFiles.resolve(CdiSpec.MPS_PIPES));
            Files.setPosixFilePermissions(pipes, PosixFilePermissions.fromString(DurableFiles.EXECUTABLE));
        }
        String spec = CdiSpec.text(
                paths.driver(), claim, edits, infoFiles, paths.data().resolve(TOOL), metadata);
        write(cdiFile(uid), spec);
    }

    private static void write(Path file, String text) throws IOException {
        DurableFiles.write(file, text.getBytes(UTF_8), DurableFiles.READABLE);
    }

    void remove(String uid) throws IOException {
        deleteFiles(uid);
        if (checkpoint.find(uid).isPresent()) {
            store(checkpoint.without(uid));
        }
    }

    private void store(Checkpoint changed) throws IOException {
        DurableFiles.write(paths.data().resolve(CHECKPOINT), changed.encode(), DurableFiles.PRIVATE);
        checkpoint = changed;
    }

    private Checkpoint load() throws IOException {
        Path file = paths.data().resolve(CHECKPOINT);
        try {
            return Checkpoint.decode(Files.readAllBytes(file));
        } catch (NoSuchFileException e) {
            return Checkpoint.EMPTY;
        } catch (CorruptCheckpointException e) {
            return recover(file, e);
        }
    }

    /** Recovers the checkpoint from the CDI files, which also record what is prepared. */
    private Checkpoint recover(Path file, CorruptCheckpointException problem) throws IOException {
        List<PreparedClaim> claims = cdiFiles().stream()
                .flatMap(cdi -> Stream.ofNullable(CdiSpec.read(read(cdi))))
                .filter(claim -> ClaimUid.isValid(claim.claim().uid()))
                .sorted(Comparator.comparing(claim -> claim.claim().uid()))
                .toList();
        LOG.errorf(
                "%s is corrupt: %s. It is kept as %s, and %d prepared claims are known from the CDI files in %s",
                file, problem.getMessage(), CORRUPT, claims.size(), paths.cdiDirectory());
        Files.copy(file, file.resolveSibling(CORRUPT), StandardCopyOption.REPLACE_EXISTING);
        var recovered = Checkpoint.of(claims);
        store(recovered);
        return recovered;
    }

    private static String read(Path file) {
        try {
            return new String(Files.readAllBytes(file), UTF_8);
        } catch (IOException e) {
            LOG.warnf("%s cannot be read: %s", file, e.getMessage());
            return "";
        }
    }

    private void deleteFiles(String uid) throws IOException {
        DurableFiles.delete(cdiFile(uid));
        Path infoFiles = infoFiles(uid);
        if (!Files.isDirectory(infoFiles)) {
            return;
        }
        try (var files = Files.list(infoFiles)) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
        }
        Files.delete(infoFiles);
    }

    private List<Path> cdiFiles() throws IOException {
        return filesNamed(CdiSpec.filePrefix(paths.driver()), ".json");
    }

    private List<Path> filesNamed(String prefix, String suffix) throws IOException {
        try (var files = Files.list(paths.cdiDirectory())) {
            return files.filter(file -> {
                        String name = file.getFileName().toString();
                        return name.startsWith(prefix) && name.endsWith(suffix);
                    })
                    .sorted()
                    .toList();
        }
    }

    private String uidOf(Path cdiFile) {
        String name = cdiFile.getFileName().toString();
        return name.substring(CdiSpec.filePrefix(paths.driver()).length(), name.length() - ".json".length());
    }

    private Path cdiFile(String uid) {
        return paths.cdiDirectory().resolve(CdiSpec.fileName(paths.driver(), ClaimUid.require(uid)));
    }

    private Path infoFiles(String uid) {
        return paths.data().resolve(INFO_FILES).resolve(ClaimUid.require(uid));
    }
}
