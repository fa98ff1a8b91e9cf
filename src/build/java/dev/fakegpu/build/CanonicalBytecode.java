package dev.fakegpu.build;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.VarInsnNode;

/**
 * Makes two builds equal: {@code java CanonicalBytecode.java generated-bytecode.jar} rewrites the jar of the classes that Quarkus generates.
 *
 * <p>Quarkus writes one of many forms of them, which do the same: it depends on the order in which threads of its build get on, and on
 * where the JVM puts classes. Of these forms this takes always the same one:
 *
 * <ul>
 *   <li>Recorded calls hand objects to each other under keys, {@code proxykey17}; one counter numbers them for all threads. Here they
 *       are numbered in the order of classes and instructions.
 *   <li>{@code SharedConfig} makes the configuration classes, and {@code RunTimeConfigCustomizer} names them, in the order of a hash set whose
 *       hash codes are new in each JVM. Here they are sorted by name. When the program runs, the set is such a hash set again.
 *   <li>{@code GenericRetry} has two setters of its initial interval, of which Quarkus takes into account whichever reflection lists last. It
 *       records the interval only if that is the one for a number. Here it is left out. It must be the default, so that this makes no difference.
 * </ul>
 *
 * <p>What is not as expected ends the build: a newer Quarkus may need less of this, or more.
 */
public final class CanonicalBytecode {

    private static final String CONFIG_PACKAGE = "io/quarkus/runtime/generated/";
    private static final String SHARED_CONFIG = CONFIG_PACKAGE + "SharedConfig";
    private static final String CONFIG_CLASS = "configClass";
    private static final String CONFIG_FIELD = CONFIG_CLASS + "$";
    private static final String KEY = "proxykey";
    private static final Pattern NUMBERED_KEY = Pattern.compile(KEY + "[0-9]+");
    private static final String RETRY = "io/javaoperatorsdk/operator/processing/retry/GenericRetry";
    private static final Long DEFAULT_INITIAL_INTERVAL = 2000L;

    /** Sorted by the names of the classes. */
    private final Map<String, ClassNode> classes = new TreeMap<>();

    private CanonicalBytecode() {}

    /**
     * @param arguments the jar, which is rewritten
     * @throws IOException if it cannot be read or written, or is not as expected
     */
    public static void main(String[] arguments) throws IOException {
        var jar = Path.of(arguments[0]);
        var before = Files.readAllBytes(jar);
        var after = canonicalJar(jar);
        if (!Arrays.equals(before, after)) {
            Files.write(jar, after);
        }
    }

    private static byte[] canonicalJar(Path jar) throws IOException {
        var bytes = new ByteArrayOutputStream();
        try (var in = new ZipFile(jar.toFile());
                var out = new ZipOutputStream(bytes)) {
            Map<String, byte[]> contents = new LinkedHashMap<>();
            List<ZipEntry> entries = new ArrayList<>(in.stream().toList());
            for (var entry : entries) {
                contents.put(entry.getName(), in.getInputStream(entry).readAllBytes());
            }
            contents.putAll(canonical(contents));
            for (var entry : entries) {
                var copy = new ZipEntry(entry); // with its time
                var content = contents.get(entry.getName());
                copy.setSize(content.length);
                copy.setCompressedSize(-1);
                out.putNextEntry(copy);
                out.write(content);
                out.closeEntry();
            }
        }
        return bytes.toByteArray();
    }

    /**
     * @param contents of a jar, by name
     * @return those of them that have more than one form, in the canonical one
     * @throws IOException if the classes are not as expected
     */
    static Map<String, byte[]> canonical(Map<String, byte[]> contents) throws IOException {
        var canonical = new CanonicalBytecode();
        for (var content : contents.entrySet()) {
            canonical.read(content.getKey(), content.getValue());
        }
        canonical.renumberKeys();
        canonical.sortConfigClasses();
        for (var type : canonical.classes.values()) {
            for (var method : type.methods) {
                leaveOutInitialInterval(type, method);
            }
        }
        return canonical.written();
    }

    private void read(String name, byte[] content) throws IOException {
        var text = new String(content, StandardCharsets.ISO_8859_1);
        if (!name.endsWith(".class") || !(text.contains(KEY) || text.contains(SHARED_CONFIG) || text.contains(RETRY))) {
            return;
        }
        var type = new ClassNode();
        new ClassReader(content).accept(type, 0);
        classes.put(name, type);
        var keys = keys(type).stream().map(key -> (String) key.cst).distinct().count();
        if (keys != occurrences(text, KEY)) {
            throw new IOException(name + " uses keys not only as strings that its instructions load");
        }
    }

    private static long occurrences(String text, String part) {
        return Pattern.compile(part, Pattern.LITERAL).matcher(text).results().count();
    }

    private static List<LdcInsnNode> keys(ClassNode type) {
        List<LdcInsnNode> keys = new ArrayList<>();
        for (var method : type.methods) {
            for (var instruction : method.instructions) {
                if (instruction instanceof LdcInsnNode load
                        && load.cst instanceof String text
                        && NUMBERED_KEY.matcher(text).matches()) {
                    keys.add(load);
                }
            }
        }
        return keys;
    }

    private void renumberKeys() {
        Map<Object, String> renamed = new HashMap<>();
        for (var type : classes.values()) {
            for (var key : keys(type)) {
                var number = renamed.size() + 1;
                key.cst = renamed.computeIfAbsent(key.cst, old -> KEY + number);
            }
        }
    }

    // --- configuration classes
    // ------------------------------------------------------------------------------------------

    private void sortConfigClasses() throws IOException {
        var shared = classes.get(SHARED_CONFIG + ".class");
        if (shared == null) {
            throw new IOException("there is no " + SHARED_CONFIG);
        }
        var making = shared.methods.stream()
                .filter(method -> method.name.equals("<clinit>"))
                .findFirst()
                .orElseThrow(() -> new IOException(SHARED_CONFIG + " makes its configuration classes in another way"));
        renameFields(sortMaking(shared, making.instructions));
        for (var type : classes.values()) {
            for (var method : type.methods) {
                sortNaming(method.instructions);
            }
        }
    }

    /** Some instructions that belong together, and what they are sorted by. */
    private record Statement(String name, List<AbstractInsnNode> instructions) {}

    /** @return the new name of each field with a configuration class */
    private static Map<String, String> sortMaking(ClassNode shared, InsnList code) throws IOException {
        var instructions = code.toArray();
        List<Statement> statements = new ArrayList<>();
        var first = 0;
        while (first < instructions.length && !isMaking(instructions, first)) {
            first++;
        }
        var next = first;
        while (isMaking(instructions, next)) {
            var begin = next;
            next += 4;
            while (isCall(instructions, next + 1, "ensureLoaded") && instructions[next] instanceof LdcInsnNode) {
                next += 2;
            }
            var name = text(instructions[begin]) + " " + text(instructions[begin + 1]);
            statements.add(new Statement(name, List.of(instructions).subList(begin, next)));
        }
        var fields = shared.fields.stream()
                .filter(f -> f.name.startsWith(CONFIG_FIELD))
                .count();
        if (statements.isEmpty() || statements.size() != fields) {
            throw new IOException(SHARED_CONFIG + " makes its " + fields + " configuration classes in another way");
        }
        sort(code, statements);
        Map<String, String> renamed = new HashMap<>();
        for (var i = 0; i < statements.size(); i++) {
            renamed.put(((FieldInsnNode) statements.get(i).instructions().get(3)).name, CONFIG_FIELD + i);
        }
        return renamed;
    }

    /** Whether there is: {@code configClass$1 = configClass("the.Class", "prefix")}. */
    private static boolean isMaking(AbstractInsnNode[] instructions, int index) {
        return isCall(instructions, index + 2, CONFIG_CLASS)
                && instructions[index] instanceof LdcInsnNode
                && instructions[index + 1] instanceof LdcInsnNode
                && isConfigField(instructions[index + 3], Opcodes.PUTSTATIC);
    }

    private static String text(AbstractInsnNode load) {
        return (String) ((LdcInsnNode) load).cst;
    }

    private static boolean isCall(AbstractInsnNode[] instructions, int index, String method) {
        return index < instructions.length
                && instructions[index] instanceof MethodInsnNode call
                && call.name.equals(method);
    }

    private static boolean isConfigField(AbstractInsnNode instruction, int opcode) {
        return instruction.getOpcode() == opcode
                && instruction instanceof FieldInsnNode field
                && field.owner.equals(SHARED_CONFIG)
                && field.name.startsWith(CONFIG_FIELD);
    }

    private void renameFields(Map<String, String> renamed) {
        for (var type : classes.values()) {
            for (var method : type.methods) {
                for (var instruction : method.instructions) {
                    if (instruction instanceof FieldInsnNode field && field.owner.equals(SHARED_CONFIG)) {
                        field.name = renamed.getOrDefault(field.name, field.name);
                    }
                }
            }
        }
    }

    /** Sorts the fields in each sequence of: {@code var v = configClass$1; withMapping(builder, v)}. */
    private static void sortNaming(InsnList code) {
        var instructions = code.toArray();
        List<FieldInsnNode> fields = new ArrayList<>();
        var i = 0;
        while (i < instructions.length) {
            if (isNaming(instructions, i)) {
                fields.add((FieldInsnNode) instructions[i]);
                i += 5;
            } else {
                sortFields(fields);
                fields.clear();
                i++;
            }
        }
    }

    private static boolean isNaming(AbstractInsnNode[] instructions, int index) {
        return isCall(instructions, index + 4, "withMapping")
                && isConfigField(instructions[index], Opcodes.GETSTATIC)
                && instructions[index + 1] instanceof VarInsnNode store
                && instructions[index + 2].getOpcode() == Opcodes.ALOAD
                && instructions[index + 3] instanceof VarInsnNode load
                && isOnlyUse(instructions, store, load);
    }

    private static boolean isOnlyUse(AbstractInsnNode[] instructions, VarInsnNode store, VarInsnNode load) {
        var uses =
                Arrays.stream(instructions).filter(i -> i instanceof VarInsnNode variable && variable.var == store.var);
        return uses.toList().equals(List.of(store, load));
    }

    private static void sortFields(List<FieldInsnNode> fields) {
        var names = fields.stream()
                .map(field -> field.name)
                .sorted(Comparator.comparing(CanonicalBytecode::number))
                .toList();
        for (var i = 0; i < names.size(); i++) {
            fields.get(i).name = names.get(i);
        }
    }

    private static int number(String configField) {
        return Integer.parseInt(configField.substring(CONFIG_FIELD.length()));
    }

    /** Sorts the statements, and with them the code, in which each follows the one before. */
    private static void sort(InsnList code, List<Statement> statements) {
        var before = statements.get(0).instructions().get(0).getPrevious();
        statements.sort(Comparator.comparing(Statement::name));
        var sorted = new InsnList();
        for (var instruction : statements.stream()
                .map(Statement::instructions)
                .flatMap(Collection::stream)
                .toList()) {
            code.remove(instruction);
            sorted.add(instruction);
        }
        if (before == null) {
            code.insert(sorted);
        } else {
            code.insert(before, sorted);
        }
    }

    // --------------------------------------------------------------------------------------------------------------------

    /** Removes each: {@code retry.setInitialInterval(2000)}. */
    private static void leaveOutInitialInterval(ClassNode type, MethodNode method) throws IOException {
        var instructions = method.instructions.toArray();
        for (var i = 0; i < instructions.length; i++) {
            if (instructions[i] instanceof MethodInsnNode call
                    && call.owner.equals(RETRY)
                    && call.name.equals("setInitialInterval")) {
                if (!isDefaultInterval(instructions, i)) {
                    throw new IOException(type.name + " has a retry with an initial interval that is not the default");
                }
                List.of(instructions).subList(i - 2, i + 2).forEach(method.instructions::remove);
            }
        }
    }

    private static boolean isDefaultInterval(AbstractInsnNode[] instructions, int call) {
        return instructions[call - 2].getOpcode() == Opcodes.ALOAD
                && instructions[call - 1] instanceof LdcInsnNode load
                && load.cst.equals(DEFAULT_INITIAL_INTERVAL)
                && instructions[call + 1].getOpcode() == Opcodes.POP;
    }

    private Map<String, byte[]> written() {
        Map<String, byte[]> written = new HashMap<>();
        classes.forEach((name, type) -> {
            var writer = new ClassWriter(0); // with constants in the order of their use
            type.accept(writer);
            written.put(name, writer.toByteArray());
        });
        return written;
    }
}
